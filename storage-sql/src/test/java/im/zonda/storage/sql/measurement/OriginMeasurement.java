package im.zonda.storage.sql.measurement;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.Member;
import im.zonda.config.Storage;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.storage.sql.server.SqlClusterRows;
import im.zonda.store.AppendedOrigins;
import im.zonda.store.ClusterLog;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.MessageLog.Keep;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/// Measures how long all origins of the newest entries take to read from PostgreSQL, which the test
/// starts, and how long one question for two of them; run by hand, prints figures. Arguments: a
/// folder, and how many entries.
public final class OriginMeasurement {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final Duration AGE = Duration.ofHours(1);
  private static final int ROUNDS = 5;

  private OriginMeasurement() {}

  public static void main(String[] arguments) {
    Path folder = Path.of(arguments[0]);
    int entries = Integer.parseInt(arguments[1]);
    Storage settings =
        TestDatabase.POSTGRESQL.settings(folder, new Storage(true, true, 0, 512, true));
    try (SqlStores node =
            TestDatabase.openNode(folder, settings, "first", UnaryOperator.identity());
        SqlClusterRows rows = SqlStores.clusterRows(settings, "verona")) {
      node.accounts()
          .create(List.of(StoresContract.account(ROMEO), StoresContract.account(JULIET)));
      List<Member> members = List.of(new Member("first", 1));
      boolean joined =
          rows.compareAndSet(0, new ClusterRow(1, members, Map.of("first", 1L), 0))
              && node.join(1)
              && rows.fence(1);
      if (!joined) {
        throw new IllegalStateException("not a member");
      }
      fill(node.messages(), entries);
      for (int round = 0; round < ROUNDS; round++) {
        measure(node.clusterLog());
      }
    }
  }

  private static void fill(MessageLog log, int entries) {
    Random random = new Random(15);
    String body = "x".repeat(100);
    for (int i = 0; i < entries; i++) {
      while (log.congested()) {
        LockSupport.parkNanos(1_000_000);
      }
      long id = log.nextId();
      var message = StoresContract.message(JULIET.withResource("phone"), ROMEO, body);
      long origin = 1 + random.nextLong(Long.MAX_VALUE);
      log.append(
              new Entry(ROMEO, id, JULIET.withResource("phone"), message, origin),
              Keep.ARCHIVE,
              true,
              new Entry(JULIET, id, ROMEO, message))
          .delivered();
    }
    log.flush();
  }

  private static void measure(ClusterLog log) {
    long start = System.nanoTime();
    AppendedOrigins all = log.appendedOrigins(AGE);
    print("origins of " + all.size() + " entries", start);
    start = System.nanoTime();
    boolean found = !log.findOrigins(Set.of(1L, 2L), AGE).isEmpty();
    print("two origins, found: " + found, start);
  }

  @SuppressWarnings("SystemOut")
  private static void print(String what, long start) {
    System.out.printf("%-40s %.1f ms%n", what, (System.nanoTime() - start) / 1e6);
  }
}
