package im.zonda.app.noloss;

import im.zonda.testkit.history.Journal;
import im.zonda.testkit.history.LedgerReport;
import im.zonda.testkit.history.MessageLedger;
import im.zonda.testkit.noloss.NoLossClients;
import im.zonda.testkit.noloss.NoLossPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// One run of the no-loss checker: a server that is killed and started again while clients send and
/// receive, and the comparison of what they remember.
final class NoLossRun {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /// Errors in the log while the database is away.
  private static final List<String> EXPECTED = List.of("store_failing");

  private final NoLossOptions options;
  private final Path folder;
  private final SplittableRandom random;
  private int kills;
  private int stops;

  /// A run that reports into that folder, which must be empty.
  NoLossRun(NoLossOptions options, Path folder) {
    this.options = options;
    this.folder = folder;
    this.random = new SplittableRandom(options.seed());
  }

  /// Runs from the first start to the judgement.
  RunResult run() throws IOException, InterruptedException {
    try (FaultyDatabase database = options.storage().start()) {
      return run(database);
    }
  }

  private RunResult run(@Nullable FaultyDatabase database)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    NoLossPlan plan =
        options.isSmall() ? NoLossPlan.small(options.seed()) : NoLossPlan.usual(options.seed());
    Path history = folder.resolve("history.txt");
    RunResult result;
    String storage = database == null ? "" : database.settings();
    try (KilledServer server = new KilledServer(folder, options.durable(), storage)) {
      List<String> accounts = new ArrayList<>(plan.accounts());
      if (database != null) {
        accounts.addAll(OutageProbe.accounts());
      }
      server.addAccounts(accounts);
      server.start();
      plan = plan.withArchive(NoLossClients.hasArchive(server.lives(), plan.accounts().getFirst()));
      try (Journal journal = new Journal(history)) {
        MessageLedger ledger = new MessageLedger(journal);
        DatabaseNemesis nemesis =
            database == null
                ? null
                : new DatabaseNemesis(database, ledger, options.longestFault(), random.split());
        try (NoLossClients course = new NoLossClients(plan, server.lives(), ledger)) {
          course.start();
          if (!course.awaitConnected(PATIENCE)) {
            ledger.violated("not all clients are let in");
          }
          disturb(server, ledger, nemesis, begin);
          course.finish(PATIENCE);
          checkLog(server, ledger, nemesis != null);
          if (nemesis != null) {
            nemesis.faults().forEach(ledger::violated);
          }
          LedgerReport report = ledger.report();
          String line = line(report, server, course, plan, begin);
          result = new RunResult(report, nemesis == null ? line : line + "; " + nemesis);
        }
      }
    }
    result.write(folder.resolve("report.txt"), history);
    return result;
  }

  /// Kills the server, and lets the faults of its database come, until there was enough of each.
  private void disturb(
      KilledServer server, MessageLedger ledger, @Nullable DatabaseNemesis nemesis, long begin)
      throws IOException, InterruptedException {
    while (true) {
      int faults = nemesis == null ? 0 : options.faults() - nemesis.count();
      int killsLeft = options.kills() - kills;
      if (killsLeft <= 0
          && faults <= 0
          && ledger.acknowledgedCount() >= options.messages()
          && System.nanoTime() - begin >= options.time().toNanos()) {
        return;
      }
      if (!server.lives(random.nextLong(100, options.longestLife().toMillis()))) {
        ledger.violated("the server has died by itself");
      }
      int choices = Math.max(0, killsLeft) + Math.max(0, faults);
      if (nemesis != null && random.nextInt(Math.max(2, choices)) < Math.max(1, faults)) {
        nemesis.strike(server);
      } else {
        end(server, ledger);
        server.start();
      }
    }
  }

  /// Most lives end by a kill; of ten, one ends by a clean stop, one by a kill during a clean stop,
  /// and after one the next is killed before it is ready.
  private void end(KilledServer server, MessageLedger ledger)
      throws IOException, InterruptedException {
    switch ((kills + stops) % 10) {
      case 3 -> {
        stops++;
        if (!server.stop()) {
          ledger.violated("the server does not stop");
        }
      }
      case 6 -> {
        kills++;
        server.killWhileStopping(random.nextLong(1, 300));
      }
      case 8 -> {
        kills += 2;
        server.kill();
        server.killWhileStarting(random.nextLong(1, 600));
      }
      default -> {
        kills++;
        server.kill();
      }
    }
  }

  /// An error in the log is a violation, unless it says that the database is away.
  private static void checkLog(KilledServer server, MessageLedger ledger, boolean mayBeAway)
      throws IOException {
    server.errors().stream()
        .filter(error -> !mayBeAway || EXPECTED.stream().noneMatch(error::contains))
        .limit(10)
        .forEach(error -> ledger.violated("the server's log: " + error));
  }

  private String line(
      LedgerReport report, KilledServer server, NoLossClients course, NoLossPlan plan, long begin) {
    List<Long> ready = new ArrayList<>(server.readyMillis());
    ready.sort(null);
    NoLossClients.Connections connections = course.connections();
    return String.format(
        Locale.ROOT,
        "no-loss on %s: %s, seed %d, %d s, %d kills, %d clean stops, ready again after %.2f s (median) to"
            + " %.2f s; %s; %d sessions resumed, %d bound again; %s",
        options.storage(),
        report.clean() ? "OK" : "FAILED",
        options.seed(),
        (System.nanoTime() - begin) / 1_000_000_000,
        kills,
        stops,
        ready.get(ready.size() / 2) / 1e3,
        ready.getLast() / 1e3,
        report,
        connections.resumed(),
        connections.boundAnew(),
        plan.archive() ? "archives read" : "no archive to read");
  }
}
