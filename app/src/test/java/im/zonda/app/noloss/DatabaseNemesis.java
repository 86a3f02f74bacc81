package im.zonda.app.noloss;

import im.zonda.testkit.history.MessageLedger;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;

/// Strikes the database of a run with one fault after another, and sees how the server bears it.
final class DatabaseNemesis {
  /// Longer than this, the server has not recovered by itself.
  private static final Duration RECOVERY = Duration.ofSeconds(40);

  /// More than the connections for queries.
  private static final int LOGINS_WHILE_LOCKED = 20;

  private final FaultyDatabase database;
  private final MessageLedger ledger;
  private final long longestMillis;
  private final SplittableRandom random;
  private final OutageProbe probe = new OutageProbe();
  private final Map<DatabaseFault, Integer> counts = new EnumMap<>(DatabaseFault.class);
  private final Map<DatabaseFault, Long> waits = new EnumMap<>(DatabaseFault.class);
  private final List<DatabaseFault> next = new ArrayList<>();
  private int killedMeanwhile;

  /// @param longest the longest time that a fault lasts
  DatabaseNemesis(
      FaultyDatabase database, MessageLedger ledger, Duration longest, SplittableRandom random) {
    this.database = database;
    this.ledger = ledger;
    this.longestMillis = longest.toMillis();
    this.random = random;
  }

  /// One fault, from its begin until messages are acknowledged again. All kinds come equally often.
  void strike(KilledServer server) throws IOException, InterruptedException {
    DatabaseFault fault = choose();
    InetSocketAddress address = server.lives().await();
    List<FutureTask<String>> logins;
    boolean killed = false;
    try (OutageProbe.Chat chat = probe.chat(address)) {
      if (!database.begin(fault)) {
        ledger.violated("no commit came for " + fault);
        return;
      }
      counts.merge(fault, 1, Integer::sum);
      logins = probe.startLogins(address, fault == DatabaseFault.LOCK ? LOGINS_WHILE_LOCKED : 2);
      checkChat(fault, chat);
      if (fault.lasts() && !server.lives(duration(fault))) {
        ledger.violated("the server has died by itself");
      }
      checkChat(fault, chat);
      killed = fault.isOutage() && random.nextInt(6) == 0;
      if (killed) {
        killedMeanwhile++;
        server.kill();
      }
      database.end(fault, random.nextBoolean());
    } catch (SQLException e) {
      throw new IOException(e);
    } catch (AssertionError e) {
      ledger.violated("before " + fault + " no one can log in: " + e.getMessage());
      return;
    }
    if (killed) {
      server.start();
    } else {
      awaitAcknowledgements(fault, server);
      probe.awaitAnswers(logins);
    }
  }

  private void checkChat(DatabaseFault fault, OutageProbe.Chat chat) {
    try {
      chat.goesOn();
    } catch (AssertionError e) {
      ledger.violated("no chat during " + fault + ": " + e.getMessage());
    }
  }

  private DatabaseFault choose() {
    if (next.isEmpty()) {
      next.addAll(List.of(DatabaseFault.values()));
    }
    return next.remove(random.nextInt(next.size()));
  }

  /// Of the longer faults every second one is longer than an answer of the database may take.
  private long duration(DatabaseFault fault) {
    boolean restart = fault == DatabaseFault.STOP || fault == DatabaseFault.KILL;
    long longest = restart ? Math.min(longestMillis, 5_000) : longestMillis;
    return random.nextBoolean()
        ? longest * 3 / 4 + random.nextLong(1 + longest / 4)
        : random.nextLong(100, longest);
  }

  /// Waits until messages are acknowledged again.
  private void awaitAcknowledgements(DatabaseFault fault, KilledServer server)
      throws InterruptedException {
    long begin = System.nanoTime();
    long before = ledger.acknowledgedCount();
    long waited = 0;
    while (ledger.acknowledgedCount() == before) {
      if (waited > RECOVERY.toMillis() || !server.lives(5)) {
        ledger.violated("nothing is acknowledged after " + fault);
        return;
      }
      waited = (System.nanoTime() - begin) / 1_000_000;
    }
    waits.merge(fault, waited, Math::max);
  }

  /// What was not as it should be and is not in the ledger yet.
  List<String> faults() {
    return probe.faults();
  }

  /// The number of faults.
  int count() {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /// What it did, in words.
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "database faults %s, the server killed in %d of them; acknowledgements waited after them"
            + " at most (ms) %s; %s",
        words(counts),
        killedMeanwhile,
        words(waits),
        probe);
  }

  private static String words(Map<DatabaseFault, ? extends Number> map) {
    return map.entrySet().stream()
        .map(e -> e.getKey() + " " + e.getValue())
        .collect(Collectors.joining(", "));
  }
}
