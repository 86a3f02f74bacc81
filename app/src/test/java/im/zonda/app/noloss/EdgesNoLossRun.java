package im.zonda.app.noloss;

import im.zonda.testkit.history.Journal;
import im.zonda.testkit.history.LedgerReport;
import im.zonda.testkit.history.MessageLedger;
import im.zonda.testkit.noloss.NoLossClients;
import im.zonda.testkit.noloss.NoLossPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;

/// One run of the no-loss checker with a server and two edges, which are killed. When the server is
/// killed, the edge sends again what it had not handled: a message may have one more stanza-id
/// then. When an edge is killed, every session must be resumed.
final class EdgesNoLossRun {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final NoLossOptions options;
  private final Path folder;
  private final SplittableRandom random;

  /// A run that reports into that folder, which must be empty.
  EdgesNoLossRun(NoLossOptions options, Path folder) {
    this.options = options;
    this.folder = folder;
    this.random = new SplittableRandom(options.seed());
  }

  /// Runs from the first start to the judgement.
  RunResult run() throws IOException, InterruptedException {
    long begin = System.nanoTime();
    Path history = folder.resolve("history.txt");
    RunResult result;
    try (Journal journal = new Journal(history)) {
      MessageLedger ledger = MessageLedger.federated(journal);
      try (EdgedServer server =
          new EdgedServer(folder, options.durable(), ledger, random.split())) {
        result = run(server, ledger, begin);
      }
    }
    result.write(folder.resolve("report.txt"), history);
    return result;
  }

  private RunResult run(EdgedServer server, MessageLedger ledger, long begin)
      throws IOException, InterruptedException {
    NoLossPlan plan =
        (options.isLong() ? NoLossPlan.usual(options.seed()) : NoLossPlan.small(options.seed()))
            .withTls();
    server.core().addAccounts(plan.accounts());
    server.start();
    String someone = plan.accounts().getFirst();
    plan = plan.withArchive(NoLossClients.hasArchive(server.core().lives(), someone));
    try (NoLossClients clients = new NoLossClients(plan, server.front(), ledger)) {
      clients.start();
      if (!clients.awaitConnected(PATIENCE)) {
        ledger.violated("not all clients are let in");
      }
      while (server.coreKills() < options.kills()
          || ledger.acknowledgedCount() < options.messages()
          || System.nanoTime() - begin < options.time().toNanos()) {
        server.live(random.nextLong(100, options.longestLife().toMillis()));
        server.disrupt();
      }
      clients.awaitAcknowledgements(PATIENCE);
      // What was acknowledged up to the last moment must be on a disk.
      server.killCore();
      clients.finish(PATIENCE);
      server.checkLogs();
      LedgerReport report = ledger.report();
      return new RunResult(report, line(report, server, clients.connections(), begin));
    }
  }

  private String line(
      LedgerReport report, EdgedServer server, NoLossClients.Connections connections, long begin) {
    return String.format(
        Locale.ROOT,
        "no-loss behind edges: %s, seed %d, %d s, %s; %s; %d sessions resumed, %d bound, %d bound"
            + " again",
        report.clean() ? "OK" : "FAILED",
        options.seed(),
        (System.nanoTime() - begin) / 1_000_000_000,
        server,
        report,
        connections.resumed(),
        connections.bound(),
        connections.boundAnew());
  }
}
