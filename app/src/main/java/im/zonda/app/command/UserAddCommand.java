package im.zonda.app.command;

import im.zonda.app.users.AccountImport;
import im.zonda.app.users.AccountList;
import im.zonda.app.users.OpenAccounts;
import im.zonda.app.users.PasswordInput;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.store.AccountStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `zonda user add`.
@Command(
    name = "add",
    description = "Add an account, or all accounts in a file.",
    footer = {
      "",
      "Without --password-file, prompts for the password or reads it from standard input.",
      "",
      "Examples:",
      "  zonda user add alice@example.org",
      "  zonda user add --from staff.csv"
    })
final class UserAddCommand implements Callable<Integer> {
  private static final int MAX_FILE_BYTES = 256 << 20;

  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "USER",
      description = "Account: user@host, or user if the server has one host.")
  private @Nullable String user;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "File with the password in its first line.")
  private @Nullable Path passwordFile;

  @Option(
      names = "--from",
      paramLabel = "FILE",
      description =
          "File with one user,password per line. If a line is wrong, all errors are reported and no"
              + " account is added.")
  private @Nullable Path from;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  UserAddCommand() {}

  @Override
  public Integer call() throws Exception {
    if ((user == null) == (from == null)) {
      throw new IllegalArgumentException("give one account, or a file with --from");
    }
    ServerConfig config = options.read().config();
    return user != null ? addOne(config, user) : addAll(config, from);
  }

  private int addOne(ServerConfig config, String name) throws IOException {
    Jid jid = AccountList.account(name, config.hosts());
    String password =
        new PasswordInput(PasswordInput.terminal(), System.in).read(passwordFile, jid.toString());
    List<AccountList.Row> row = List.of(new AccountList.Row(1, jid, password));
    PrintWriter err = spec.commandLine().getErr();
    try (OpenAccounts accounts = options.openOrCreateAccounts(config, err)) {
      AccountImport.Outcome outcome = importer(accounts.store()).create(row, done -> {});
      if (outcome.created() == 0) {
        String problem = outcome.problems().getFirst();
        throw new IllegalArgumentException(problem.substring(problem.indexOf(": ") + 2));
      }
    }
    spec.commandLine().getOut().println("added " + jid);
    return 0;
  }

  private int addAll(ServerConfig config, @Nullable Path file) throws IOException {
    if (file == null) {
      throw new IllegalArgumentException("no file given");
    }
    if (Files.size(file) > MAX_FILE_BYTES) {
      throw new IllegalArgumentException(file + " is larger than 256 MiB; split it");
    }
    AccountList list = AccountList.read(file, config.hosts());
    PrintWriter err = spec.commandLine().getErr();
    int total = list.rows().size();
    if (!list.problems().isEmpty()) {
      print(err, file, list.problems());
      int wrong = list.problems().size();
      err.println(
          "no account was added: " + wrong + " of " + (total + wrong) + " lines have errors");
      return ExitCode.FAILED;
    }
    AccountImport.Outcome outcome;
    try (OpenAccounts accounts = options.openOrCreateAccounts(config, err)) {
      boolean terminal = PasswordInput.terminal() != null;
      progress(err, terminal, 0, total);
      outcome =
          importer(accounts.store())
              .create(list.rows(), done -> progress(err, terminal, done, total));
    }
    print(err, file, outcome.problems());
    spec.commandLine().getOut().println("added " + outcome.created() + " of " + total);
    return outcome.problems().isEmpty() ? 0 : ExitCode.FAILED;
  }

  private static void print(PrintWriter err, Path file, List<String> problems) {
    for (String problem : problems) {
      err.println(file + ": " + problem);
    }
  }

  private static void progress(PrintWriter err, boolean terminal, int done, int total) {
    if (terminal && total > 1) {
      err.print("\r" + done + " of " + total + (done == total ? "\n" : ""));
      err.flush();
    }
  }

  private static AccountImport importer(AccountStore store) {
    return new AccountImport(store, InstantSource.system(), new SecureRandom());
  }
}
