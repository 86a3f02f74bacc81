package im.zonda.app.command;

import im.zonda.app.users.OpenAccounts;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import java.io.PrintWriter;
import java.util.List;
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
    try (OpenAccounts accounts = options.openAccounts(config)) {
      for (String domain : host == null ? config.hosts() : List.of(host)) {
        Jid after = null;
        List<Jid> page;
        do {
          page = accounts.store().list(domain, after, PAGE);
          page.forEach(out::println);
          after = page.isEmpty() ? null : page.getLast();
        } while (page.size() == PAGE);
      }
    }
    out.flush();
    return 0;
  }
}
