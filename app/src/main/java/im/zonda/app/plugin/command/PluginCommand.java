package im.zonda.app.plugin.command;

import im.zonda.app.status.Version;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `zonda plugin`. The operations on plugins add further commands to it.
@Command(
    name = "plugin",
    description = "Plugins: list, add, remove, write a new one.",
    footer = {
      "",
      "Examples:",
      "  zonda plugin new content-filter",
      "  zonda plugin add content-filter",
      "  zonda plugin list"
    },
    subcommands = {PluginListCommand.class, PluginAddCommand.class, PluginRunCommand.class},
    synopsisSubcommandLabel = "COMMAND")
public final class PluginCommand implements Runnable {
  @Spec private CommandSpec spec;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  public PluginCommand() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing required command");
  }

  /// `zonda plugin new`.
  @Command(
      name = "new",
      description = {
        "Write a project for a new plugin into a new folder: a filter that works, with tests.",
        "It is built by Maven with a JDK 25."
      },
      footer = {
        "",
        "Example:",
        "  zonda plugin new content-filter --package com.example.filter",
        "  mvn -f content-filter verify",
        "  zonda plugin add content-filter/target/content-filter.jar"
      })
  int create(
      @Parameters(
              paramLabel = "NAME",
              description = "Name of the plugin and of its folder, such as content-filter.")
          String name,
      @Option(
              names = "--package",
              paramLabel = "PACKAGE",
              description = "Java package (default: org.example. and the name).")
          @Nullable String packageName)
      throws IOException {
    Path folder = Path.of(name);
    Path home = Distribution.withRepository(Distribution.home());
    ProjectTemplate.of(name, packageName, Version.current(), home).write(folder);
    PrintWriter out = spec.commandLine().getOut();
    out.println("Wrote " + folder.toAbsolutePath() + ". What follows:");
    out.println("  mvn -f " + name + " verify");
    out.println("  zonda plugin add " + name + "/target/" + name + ".jar");
    out.flush();
    return 0;
  }
}
