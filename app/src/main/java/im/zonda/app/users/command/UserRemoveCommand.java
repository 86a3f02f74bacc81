package im.zonda.app.users.command;

import im.zonda.app.command.ConfigOptions;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.users.AccountList;
import im.zonda.app.users.Confirmation;
import im.zonda.app.users.PasswordInput;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.admin.operation.AccountOperations;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `zonda user remove`.
@Command(
    name = "remove",
    description = "Remove an account and all its data, and end its sessions. Asks first.")
final class UserRemoveCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "USER",
      description = "Account: user@host, or user if the server has one host.")
  private String user;

  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  UserRemoveCommand() {}

  @Override
  public Integer call() throws Exception {
    ServerConfig config = options.read().config();
    Jid jid = AccountList.account(user, config.hosts());
    Confirmation.ask(
        PasswordInput.terminal(),
        yes,
        "The account "
            + jid
            + " will be removed with its messages, contacts and files. Type the address to go on",
        jid.toString());
    try (OperationRunner runner = options.openOperations(config)) {
      runner.askNamed(AccountOperations.REMOVE, Map.of("account", jid.toString()));
    }
    spec.commandLine().getOut().println("removed " + jid);
    return 0;
  }
}
