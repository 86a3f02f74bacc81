package im.zonda.app.users.command;

import im.zonda.app.command.ConfigOptions;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.users.AccountList;
import im.zonda.app.users.PasswordInput;
import im.zonda.auth.Passwords;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.admin.operation.AccountOperations;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `zonda user passwd`.
@Command(
    name = "passwd",
    description = "Change the password of an account.",
    footer = "Without --password-file, prompts for the password or reads it from standard input.")
final class UserPasswdCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "USER",
      description = "Account: user@host, or user if the server has one host.")
  private String user;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "File with the password in its first line.")
  private @Nullable Path passwordFile;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  UserPasswdCommand() {}

  @Override
  public Integer call() throws Exception {
    ServerConfig config = options.read().config();
    Jid jid = AccountList.account(user, config.hosts());
    String password =
        new PasswordInput(PasswordInput.terminal(), System.in).read(passwordFile, jid.toString());
    Passwords.check(password);
    try (OperationRunner runner = options.openOperations(config)) {
      runner.askNamed(
          AccountOperations.PASSWORD, Map.of("account", jid.toString(), "password", password));
    }
    spec.commandLine().getOut().println("changed the password of " + jid);
    return 0;
  }
}
