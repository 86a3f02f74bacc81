package im.zonda.app.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `zonda config`.
@Command(
    name = "config",
    description = "Check, show or reload the configuration.",
    footer = {
      "",
      "Examples:",
      "  zonda config check --config /etc/zonda/zonda.toml",
      "  zonda config show",
      "  zonda config reload"
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {ConfigCheckCommand.class, ConfigShowCommand.class, ConfigReloadCommand.class})
final class ConfigCommand implements Runnable {
  @Spec private CommandSpec spec;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  ConfigCommand() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing required command");
  }
}
