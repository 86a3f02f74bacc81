package im.zonda.app.demo;

import im.zonda.auth.Passwords;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.ScramKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

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

  /// Creates the accounts. Those of an earlier demo are there already. Everyone has the same
  /// password, so keys are derived once, which is slow by design.
  ///
  /// @return those that were there
  public static List<Jid> createAccounts(AccountStore accounts) {
    List<ScramKeys> keys = Passwords.derive(DemoTown.PASSWORD, new SecureRandom());
    Instant now = InstantSource.system().instant();
    return accounts.create(
        DemoTown.users().stream()
            .map(user -> new Account(Jid.of(user, HOST, null), keys, now))
            .toList());
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
  ///
  /// @param progress gets a line for each five that have arrived
  public static DemoTown people(ServerConfig config, Consumer<String> progress) {
    List<String> addresses = config.c2s().listenTls();
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("the demo needs an address in c2s.listen-tls");
    }
    String address = addresses.getFirst();
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    return new DemoTown(
        port, HOST, config.rooms().prefix() + "." + HOST, new SecureRandom(), progress);
  }
}
