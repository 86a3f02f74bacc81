package im.zonda.app.load;

import im.zonda.auth.Passwords;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.Account;
import im.zonda.store.ScramKeys;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// Makes accounts for a load in the store of a Zonda server that does not run. All get the same
/// keys: with a salt for each, the server and the generator would spend minutes on 19,000 of them.
/// For measurements only; who reads one account's keys would know the others'.
final class LoadAccounts {
  private static final int BATCH = 1_000;

  private LoadAccounts() {}

  /// Creates the accounts `PREFIX0` to `PREFIX(COUNT-1)`, if called with DATA DOMAIN PREFIX COUNT.
  public static void main(String[] args) {
    if (args.length != 4) {
      System.err.println("accounts DATA DOMAIN PREFIX COUNT");
      System.exit(2);
    }
    make(Path.of(args[0]), args[1], args[2], Integer.parseInt(args[3]), System.out);
  }

  /// Makes `PREFIX0` to `PREFIX(N-1)`; those that exist are left alone.
  public static void make(Path data, String domain, String prefix, int count, PrintStream out) {
    byte[] salt = "salt-of-the-load".getBytes(StandardCharsets.US_ASCII);
    List<ScramKeys> keys =
        Passwords.HASHES.stream()
            .map(hash -> Passwords.derive("secret", hash, salt, Passwords.ITERATIONS))
            .toList();
    InstantSource clock = InstantSource.system();
    Instant now = clock.instant();
    ServerConfig config = ServerConfig.defaults(List.of(domain), data);
    int existed = 0;
    try (SqlStores stores = SqlStores.open(data, config.storage(), config.limits(), clock)) {
      List<Account> batch = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        batch.add(new Account(Jid.of(prefix + i + "@" + domain), keys, now));
        if (batch.size() == BATCH || i == count - 1) {
          existed += stores.accounts().create(batch).size();
          batch.clear();
        }
      }
    }
    out.println("added " + (count - existed) + " of " + count);
  }
}
