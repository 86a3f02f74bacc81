package im.zonda.app.users.command;

import im.zonda.app.command.ConfigOptions;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.admin.operation.AccountLists;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `zonda user list`.
@Command(name = "list", description = "List the accounts of all hosts or of one host.")
final class UserListCommand implements Callable<Integer> {
  private static final int PAGE = 500;

  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "HOST", description = "Host (default: all).")
  private @Nullable String host;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  UserListCommand() {}

  @Override
  public Integer call() throws Exception {
    ServerConfig config = options.read().config();
    if (host != null && !config.hosts().contains(host)) {
      throw new IllegalArgumentException(
          host
              + " is not a host of this server; its hosts are "
              + String.join(", ", config.hosts()));
    }
    PrintWriter out = spec.commandLine().getOut();
    try (OperationRunner runner = options.openOperations(config)) {
      for (String domain : host == null ? config.hosts() : List.of(host)) {
        Jid next = null;
        do {
          Map<String, @Nullable Object> wanted = new LinkedHashMap<>();
          wanted.put("host", domain);
          wanted.put("after", next == null ? null : next.toString());
          wanted.put("limit", PAGE);
          AccountLists.Found page = runner.askNamed(AccountLists.LIST, wanted);
          page.accounts().forEach(out::println);
          next = page.next();
        } while (next != null);
      }
    }
    out.flush();
    return 0;
  }
}
