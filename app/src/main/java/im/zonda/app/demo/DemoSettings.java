package im.zonda.app.demo;

import im.zonda.app.users.AccountImport;
import im.zonda.app.users.AccountList;
import im.zonda.app.users.OpenAccounts;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// The server of a demo: its configuration and its accounts.
public final class DemoSettings {
  /// The only host.
  private static final String HOST = "localhost";

  private DemoSettings() {}

  /// Writes the configuration.
  ///
  /// @param folder of the demo, which is created
  /// @return the file
  public static Path write(Path folder) throws IOException {
    Files.createDirectories(folder);
    return Files.writeString(
        folder.resolve("zonda.toml"),
        """
        # Written by `zonda demo`.
        hosts = ["localhost"]
        [registration]
        enabled = true
        [services.invitations]
        accounts = "everyone"
        [services.web]
        title = "The demo of Zonda"
        """);
  }

  /// Creates the accounts. Those of an earlier demo are there already.
  public static void createAccounts(OpenAccounts accounts) {
    List<AccountList.Row> rows = new ArrayList<>();
    for (String user : DemoTown.users()) {
      rows.add(new AccountList.Row(rows.size() + 1, Jid.of(user, HOST, null), DemoTown.PASSWORD));
    }
    new AccountImport(accounts.store(), InstantSource.system(), new SecureRandom())
        .create(rows, done -> {});
  }

  /// What the one who starts the demo must know.
  public static String greeting() {
    return "Log in as "
        + DemoTown.VISITOR
        + "@"
        + HOST
        + " with the password "
        + DemoTown.PASSWORD
        + ", which everyone here has. Ctrl-C stops the demo.";
  }

  /// The people, for a server with that configuration.
  public static DemoTown people(ServerConfig config) {
    List<String> addresses = config.c2s().listenTls();
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("the demo needs an address in c2s.listen-tls");
    }
    String address = addresses.getFirst();
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    return new DemoTown(port, HOST, config.rooms().prefix() + "." + HOST, new SecureRandom());
  }
}
