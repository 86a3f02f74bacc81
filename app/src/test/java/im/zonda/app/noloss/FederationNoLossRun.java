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

/// One run of the no-loss checker over federation: users of two servers send to each other, while
/// either server is killed and started again and the link between them breaks.
final class FederationNoLossRun {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final NoLossOptions options;
  private final Path folder;
  private final SplittableRandom random;

  /// A run that reports into that folder, which must be empty.
  FederationNoLossRun(NoLossOptions options, Path folder) {
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
      try (FederatedServers servers =
          FederatedServers.create(folder, options.durable(), ledger, random.split())) {
        result = run(servers, ledger, begin);
      }
    }
    result.write(folder.resolve("report.txt"), history);
    return result;
  }

  private RunResult run(FederatedServers servers, MessageLedger ledger, long begin)
      throws IOException, InterruptedException {
    NoLossPlan small = NoLossPlan.small(options.seed());
    NoLossPlan plan = options.isLong() ? small.withRate(1_000) : small;
    NoLossPlan aToB = plan.inDirection(FederatedServers.A_TO_B);
    NoLossPlan bToA = plan.inDirection(FederatedServers.B_TO_A);
    servers.a().addAccounts(accounts(aToB, bToA));
    servers.b().addAccounts(accounts(bToA, aToB));
    servers.start();
    try (NoLossClients toB =
            new NoLossClients(aToB, servers.a().lives(), servers.b().lives(), ledger);
        NoLossClients toA =
            new NoLossClients(bToA, servers.b().lives(), servers.a().lives(), ledger)) {
      toB.start();
      toA.start();
      if (!toB.awaitConnected(PATIENCE) || !toA.awaitConnected(PATIENCE)) {
        ledger.violated("not all clients are let in");
      }
      disturb(servers, ledger, begin);
      toB.calm();
      toA.calm();
      toB.awaitAcknowledgements(PATIENCE);
      toA.awaitAcknowledgements(PATIENCE);
      // What was acknowledged up to the last moment must be on a disk.
      ledger.linkBreaks();
      servers.killBoth();
      ledger.linkBroken();
      toB.finish(PATIENCE);
      toA.finish(PATIENCE);
      checkLogs(servers, ledger);
      LedgerReport report = ledger.report();
      return new RunResult(report, line(report, servers, List.of(toB, toA), begin));
    }
  }

  /// The users of one server: those who send to the other one, and those who receive from it.
  private static List<String> accounts(NoLossPlan sending, NoLossPlan receiving) {
    List<String> names = new ArrayList<>(sending.senderNames());
    names.addAll(receiving.receiverNames());
    return names;
  }

  private void disturb(FederatedServers servers, MessageLedger ledger, long begin)
      throws IOException, InterruptedException {
    while (servers.kills() < options.kills()
        || ledger.acknowledgedCount() < options.messages()
        || System.nanoTime() - begin < options.time().toNanos()) {
      servers.live(random.nextLong(100, options.longestLife().toMillis()));
      servers.disrupt();
    }
  }

  private static void checkLogs(FederatedServers servers, MessageLedger ledger) throws IOException {
    for (KilledServer server : List.of(servers.a(), servers.b())) {
      server.errors().stream()
          .limit(10)
          .forEach(error -> ledger.violated("a server's log: " + error));
    }
  }

  private String line(
      LedgerReport report, FederatedServers servers, List<NoLossClients> clients, long begin) {
    long resumed = clients.stream().mapToLong(each -> each.connections().resumed()).sum();
    long boundAnew = clients.stream().mapToLong(each -> each.connections().boundAnew()).sum();
    return String.format(
        Locale.ROOT,
        "no-loss over federation: %s, seed %d, %d s, %s; %s; %d sessions resumed, %d bound again",
        report.clean() ? "OK" : "FAILED",
        options.seed(),
        (System.nanoTime() - begin) / 1_000_000_000,
        servers,
        report,
        resumed,
        boundAnew);
  }
}
