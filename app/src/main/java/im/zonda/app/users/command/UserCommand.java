package im.zonda.app.users.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `zonda user`.
@Command(
    name = "user",
    description =
        "Add, list and remove accounts and their files and change passwords, also while the server"
            + " is running.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      UserAddCommand.class,
      UserListCommand.class,
      UserPasswdCommand.class,
      UserRemoveCommand.class,
      UserFilesCommand.class
    },
    footer = {
      "",
      "Examples:",
      "  zonda user add alice@example.org",
      "  zonda user add --from staff.csv",
      "  zonda user list",
      "  zonda user passwd alice@example.org",
      "  zonda user files alice@example.org"
    })
public final class UserCommand implements Runnable {
  @Spec private CommandSpec spec;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  public UserCommand() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing required command");
  }
}
