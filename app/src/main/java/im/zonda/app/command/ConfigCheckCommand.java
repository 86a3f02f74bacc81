package im.zonda.app.command;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `zonda config check`.
@Command(
    name = "check",
    description = "Check the configuration and report every error.",
    mixinStandardHelpOptions = true)
final class ConfigCheckCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  ConfigCheckCommand() {}

  @Override
  public Integer call() throws Exception {
    options.read();
    Path file = options.file();
    spec.commandLine()
        .getOut()
        .println((file == null ? "default configuration" : file) + ": no errors");
    return 0;
  }
}
