package im.zonda.app.command;

import im.zonda.app.users.AccountList;
import im.zonda.app.users.FilesCommand;
import im.zonda.config.ServerConfig;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
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
      UserRemoveCommand.class
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
final class UserCommand implements Runnable {
  @Spec private CommandSpec spec;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  UserCommand() {}

  /// `zonda user files`.
  @Command(
      name = "files",
      description = {
        "Print the files that an account has uploaded, or remove some of them.",
        "With a host in place of an account, print how much each account has."
      })
  int files(
      @Mixin ConfigOptions options,
      @Parameters(
              paramLabel = "USER",
              description = "Account: user@host, or user if the server has one host; or a host.")
          String user,
      @Option(
              names = "--remove",
              arity = "1..*",
              paramLabel = "FILE",
              description = "Remove these files, by the first word of their lines, or `all`.")
          @Nullable List<String> removed)
      throws Exception {
    ServerConfig config = options.read().config();
    List<String> arguments = new ArrayList<>();
    arguments.add(
        config.hosts().contains(user)
            ? user
            : AccountList.account(user, config.hosts()).toString());
    arguments.addAll(removed == null ? List.of() : removed);
    String said =
        options.runAnywhere(
            config,
            FilesCommand.NAME,
            arguments,
            stores -> new FilesCommand(stores, () -> config).run(arguments));
    PrintWriter out = spec.commandLine().getOut();
    out.print(said);
    out.flush();
    return 0;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing required command");
  }
}
