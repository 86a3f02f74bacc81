package im.zonda.app.users.command;

import im.zonda.app.command.ConfigOptions;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.users.AccountList;
import im.zonda.config.ServerConfig;
import im.zonda.module.admin.operation.FileOperations;
import im.zonda.module.admin.operation.FileOperations.File;
import im.zonda.module.admin.operation.FileOperations.Share;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `zonda user files`: what accounts have uploaded (XEP-0363), and its removal.
@Command(
    name = "files",
    description = {
      "Print the files that an account has uploaded, or remove some of them.",
      "With a host in place of an account, print how much each account has."
    })
final class UserFilesCommand implements Callable<Integer> {
  /// The argument by which all files of an account are removed.
  private static final String ALL = "all";

  /// The most files, or accounts, that are printed.
  private static final int LISTED = 1_000;

  private static final int PAGE = 500;

  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "USER",
      description = "Account: user@host, or user if the server has one host; or a host.")
  private String user;

  @Option(
      names = "--remove",
      arity = "1..*",
      paramLabel = "FILE",
      description = "Remove these files, by the first word of their lines, or `all`.")
  private @Nullable List<String> removed;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  UserFilesCommand() {}

  @Override
  public Integer call() throws Exception {
    ServerConfig config = options.read().config();
    boolean isHost = config.hosts().contains(user);
    if (isHost && removed != null) {
      throw new IllegalArgumentException("name the account whose files are removed");
    }
    String address = isHost ? user : AccountList.account(user, config.hosts()).toString();
    PrintWriter out = spec.commandLine().getOut();
    try (OperationRunner runner = options.openOperations(config)) {
      if (isHost) {
        printAccounts(runner, address, out);
      } else if (removed != null) {
        out.print("removed " + files(remove(runner, address, removed)) + "\n");
      } else {
        printFiles(runner, address, out);
      }
    }
    out.flush();
    return 0;
  }

  private static void printAccounts(OperationRunner runner, String host, PrintWriter out)
      throws IOException {
    int shown = 0;
    @Nullable Object next = null;
    do {
      FileOperations.Shares page =
          runner.askNamed(FileOperations.ACCOUNTS, page("host", host, next));
      for (Share each : page.accounts()) {
        if (shown++ < LISTED) {
          out.print(each.account() + " " + sum(each.files(), each.bytes()) + "\n");
        }
      }
      next = page.next();
    } while (next != null && shown < LISTED);
    if (shown == 0) {
      out.print("no files of " + host + "\n");
    }
  }

  private static void printFiles(OperationRunner runner, String account, PrintWriter out)
      throws IOException {
    Set<String> shown = new HashSet<>(); // a page begins again with what has the time of its start
    @Nullable Object next = null;
    do {
      FileOperations.Found page =
          runner.askNamed(FileOperations.LIST, page("account", account, next));
      for (File each : page.files()) {
        if (shown.size() < LISTED && shown.add(each.file())) {
          out.print(line(each));
        }
      }
      next = page.next();
    } while (next != null && shown.size() < LISTED);
    FileOperations.Used used = runner.askNamed(FileOperations.USAGE, Map.of("account", account));
    out.print(sum(used.files(), used.bytes()) + "\n");
  }

  private static Map<String, @Nullable Object> page(
      String name, String subject, @Nullable Object after) {
    Map<String, @Nullable Object> wanted = new LinkedHashMap<>();
    wanted.put(name, subject);
    wanted.put("after", after == null ? null : after.toString());
    wanted.put("limit", PAGE);
    return wanted;
  }

  private static String line(File file) {
    Instant uploaded = file.uploaded();
    return file.file()
        + " "
        + uploaded
        + " "
        + file.bytes()
        + " "
        + file.type()
        + " "
        + file.name()
        + "\n";
  }

  private static long remove(OperationRunner runner, String account, List<String> files)
      throws IOException {
    boolean all = files.equals(List.of(ALL));
    return runner
        .askNamed(
            FileOperations.REMOVE,
            Map.of("account", account, "files", all ? List.of() : files, "all", all))
        .files();
  }

  private static String sum(long files, long bytes) {
    return files(files) + ", " + bytes + " bytes";
  }

  private static String files(long count) {
    return count + (count == 1 ? " file" : " files");
  }
}
