package im.zonda.app;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// All commands.
@Command(
    name = "zonda",
    description = "A real-time collaboration server on XMPP.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    subcommands = {
      StartCommand.class,
      UserCommand.class,
      ConfigCommand.class,
      VersionCommand.class,
      CommandLine.HelpCommand.class
    },
    footer = {
      "",
      "In a source tree, too: `zonda test` runs all tests, `zonda prepare` builds without starting.",
      "ZONDA_JAVA names the Java installation, ZONDA_JAVA_OPTS adds options of the JVM."
    })
final class Commands implements Runnable {
  @Spec private CommandSpec spec;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  Commands() {}

  /// The commands, writing there.
  static CommandLine of(PrintWriter out, PrintWriter err) {
    return new CommandLine(new Commands())
        .setOut(out)
        .setErr(err)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler((failure, command, parsed) -> {
          command.getErr().println(command.getColorScheme().errorText(Main.words(failure)));
          return Main.exitCode(failure);
        });
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing required command");
  }
}
