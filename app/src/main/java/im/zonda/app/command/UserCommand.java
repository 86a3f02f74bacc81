package im.zonda.app.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `zonda user`.
@Command(
    name = "user",
    description =
        "Add, list and remove accounts and change passwords, also while the server is running.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    subcommands = {
      UserAddCommand.class,
      UserListCommand.class,
      UserPasswdCommand.class,
      UserRemoveCommand.class
    })
final class UserCommand implements Runnable {
  @Spec private CommandSpec spec;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  UserCommand() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing required command");
  }
}
