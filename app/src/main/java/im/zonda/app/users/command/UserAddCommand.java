package im.zonda.app.users.command;

import im.zonda.app.command.ConfigOptions;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.users.AccountList;
import im.zonda.app.users.ImportOperation;
import im.zonda.app.users.PasswordInput;
import im.zonda.auth.Passwords;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
  private static final int FAILED = 1;

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
    Passwords.check(password);
    PrintWriter err = spec.commandLine().getErr();
    try (OperationRunner runner = options.openOrCreateOperations(config, err)) {
      List<AccountList.Problem> problems =
          add(runner, List.of(new AccountList.Row(1, jid, password)));
      if (!problems.isEmpty()) {
        throw new IllegalArgumentException(problems.getFirst().text());
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
      return FAILED;
    }
    List<AccountList.Problem> problems;
    try (OperationRunner runner = options.openOrCreateOperations(config, err)) {
      problems = addAll(runner, list.rows());
    }
    print(err, file, problems);
    spec.commandLine().getOut().println("added " + (total - problems.size()) + " of " + total);
    return problems.isEmpty() ? 0 : FAILED;
  }

  /// Adds accounts in parts that are small enough to be done at once. After an interruption, the
  /// same command adds the others.
  private List<AccountList.Problem> addAll(OperationRunner runner, List<AccountList.Row> rows)
      throws IOException {
    Map<String, List<AccountList.Row>> byHost =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    row -> row.jid().domain(), LinkedHashMap::new, Collectors.toList()));
    List<AccountList.Problem> problems = new ArrayList<>();
    int done = 0;
    progress(done, rows.size());
    for (List<AccountList.Row> ofHost : byHost.values()) {
      for (int from = 0; from < ofHost.size(); from += ImportOperation.AT_ONCE) {
        int to = Math.min(from + ImportOperation.AT_ONCE, ofHost.size());
        problems.addAll(add(runner, ofHost.subList(from, to)));
        done += to - from;
        progress(done, rows.size());
      }
    }
    problems.sort(Comparator.comparingInt(AccountList.Problem::line));
    return problems;
  }

  /// Adds some accounts of one host; returns what is wrong with those that were not added.
  private static List<AccountList.Problem> add(OperationRunner runner, List<AccountList.Row> rows)
      throws IOException {
    ImportOperation.Checked checked =
        runner.askNamed(
            ImportOperation.IMPORT,
            Map.of(
                "host",
                rows.getFirst().jid().domain(),
                "accounts",
                rows.stream().map(AccountList.Row::text).toList()));
    return checked.problems().stream()
        .map(each -> new AccountList.Problem(rows.get(each.line() - 1).line(), 0, each.text()))
        .toList();
  }

  private static void print(PrintWriter err, Path file, List<AccountList.Problem> problems) {
    for (AccountList.Problem problem : problems) {
      err.println(file + ": " + problem);
    }
  }

  private void progress(int done, int total) {
    if (PasswordInput.terminal() != null && total > 1) {
      PrintWriter err = spec.commandLine().getErr();
      err.print("\r" + done + " of " + total + (done == total ? "\n" : ""));
      err.flush();
    }
  }
}
