package im.zonda.app.plugin.command;

import im.zonda.app.command.ConfigOptions;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.plugin.PluginOperations;
import im.zonda.host.plugin.jar.PluginJar;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `zonda plugin add`: the operation `plugin.add` with a file.
@Command(
    name = "add",
    description = {
      "Add a plugin to the running server, or another version of one, and start it at all nodes.",
      "The jar has the rights of the server: add what you trust."
    },
    footer = {
      "",
      "Examples:",
      "  zonda plugin add content-filter",
      "  zonda plugin add ./target/my-plugin.jar --sha256 9f86d081884c7d65…"
    })
final class PluginAddCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      description = "The jar, or the name of a plugin that came with the server.")
  private Path file;

  @Option(names = "--sha256", paramLabel = "HASH", description = "The hash that the jar must have.")
  private @Nullable String sha256;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  PluginAddCommand() {}

  @Override
  public Integer call() throws Exception {
    Map<String, @Nullable Object> input = new LinkedHashMap<>();
    input.put("jar", Base64.getEncoder().encodeToString(read(found())));
    if (sha256 != null) {
      input.put("sha256", sha256);
    }
    try (OperationRunner runner = options.runningServer(options.read().config())) {
      PluginOperations.Added added = runner.ask(PluginOperations.ADD, input);
      PrintWriter out = spec.commandLine().getOut();
      out.println(
          added.plugin()
              + " "
              + added.version()
              + (added.versionBefore() == null
                  ? " runs."
                  : " runs in place of " + added.versionBefore() + "."));
      out.println("It may use: " + (added.ports().isEmpty() ? "nothing" : ports(added)) + ".");
      out.println("SHA-256 of the jar: " + added.sha256());
      out.flush();
    }
    return 0;
  }

  private static String ports(PluginOperations.Added added) {
    return String.join(", ", added.ports());
  }

  /// The file that was named, or that of a plugin that came with the server.
  private Path found() throws IOException {
    if (Files.isRegularFile(file)) {
      return file;
    }
    Path home = Distribution.home();
    Path shipped = home.resolve("plugins").resolve(file + ".jar");
    if (file.getNameCount() == 1 && Files.isRegularFile(shipped)) {
      return shipped;
    }
    throw new NoSuchFileException(file + " is no file, and no plugin that came with the server");
  }

  private static byte[] read(Path file) throws IOException {
    if (Files.size(file) > PluginJar.MOST_BYTES) {
      throw new IOException(file + " has more than " + PluginJar.MOST_BYTES / 1024 / 1024 + " MiB");
    }
    return Files.readAllBytes(file);
  }
}
