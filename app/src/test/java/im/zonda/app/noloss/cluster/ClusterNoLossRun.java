package im.zonda.app.noloss.cluster;

import im.zonda.app.federation.RealPeer;
import im.zonda.app.noloss.FaultyDatabase;
import im.zonda.app.noloss.RunResult;
import im.zonda.app.noloss.room.RoomTalk;
import im.zonda.testkit.history.Journal;
import im.zonda.testkit.history.LedgerReport;
import im.zonda.testkit.history.MessageLedger;
import im.zonda.testkit.noloss.NoLossClients;
import im.zonda.testkit.noloss.NoLossPlan;
import im.zonda.testkit.noloss.OutsideSenders;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;

/// One run of the no-loss checker over the nodes of a cluster, which have one database.
final class ClusterNoLossRun {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long TOGETHER_MILLIS = 60_000;

  private final ClusterOptions options;
  private final Path folder;
  private final SplittableRandom random;

  /// A run that reports into that folder, which must be empty.
  ClusterNoLossRun(ClusterOptions options, Path folder) {
    this.options = options;
    this.folder = folder;
    this.random = new SplittableRandom(options.seed());
  }

  /// Runs from the first start to the judgement.
  RunResult run() throws IOException, InterruptedException {
    long begin = System.nanoTime();
    Path history = folder.resolve("history.txt");
    RunResult result;
    try (FaultyDatabase database = Objects.requireNonNull(options.storage().start());
        ClusterServers servers = new ClusterServers(folder, options, database.settings());
        Journal journal = new Journal(history);
        Journal ofRoom = new Journal(folder.resolve("room.txt"));
        Journal ofOutside = new Journal(folder.resolve("outside.txt"))) {
      MessageLedger ledger = ClusterPromise.ledger(journal);
      MessageLedger outside = MessageLedger.federated(ofOutside);
      NoLossPlan plan = start(servers, ledger);
      try (DeliveryWatch watch = new DeliveryWatch(ledger);
          NoLossClients clients = new NoLossClients(plan, servers.front(), ledger);
          OutsidePeers peers = new OutsidePeers(outside, servers.peer());
          OutsideSenders senders =
              new OutsideSenders(plan, servers.front(), outside, peers.addresses())) {
        RoomTalk talk = RoomTalk.inCluster(servers.front(), plan, ofRoom);
        ClusterNemesis nemesis =
            new ClusterNemesis(servers, database, ledger, outside, watch, random.split());
        clients.start();
        if (!clients.awaitConnected(PATIENCE)) {
          ledger.violated("not all clients are let in");
        }
        talk.start();
        if (options.outside()) {
          peers.start(servers.componentPorts());
          senders.start();
        }
        disturb(nemesis, ledger);
        talk.finish();
        clients.finish(PATIENCE);
        senders.finish(PATIENCE);
        judge(outside, ledger);
        RoomTalk.Result room = judge(talk, ledger);
        servers.errors().stream()
            .filter(error -> !ClusterPromise.isExpected(error))
            .limit(10)
            .forEach(error -> ledger.violated("a log: " + error));
        long ahead = servers.count(ClusterPromise.AHEAD_OF_THE_COPY);
        LedgerReport report = ledger.report();
        String text = text(report, room, clients.connections(), nemesis, begin);
        text += "  " + ahead + " of them ahead of their copies\n";
        if (options.outside()) {
          String who = servers.peer() == null ? "a component" : "a component and Prosody";
          text += "  to " + who + ": " + outside.report() + "\n";
        }
        result = new RunResult(report, text);
      }
    }
    result.write(folder.resolve("report.txt"), history);
    return result;
  }

  private NoLossPlan start(ClusterServers servers, MessageLedger ledger)
      throws IOException, InterruptedException {
    NoLossPlan plan =
        options.isLong() ? NoLossPlan.usual(options.seed()) : NoLossPlan.small(options.seed());
    if (options.rate() > 0) {
      plan = plan.withRate(options.rate());
    }
    if (options.edges() > 0) {
      plan = plan.withTls();
    }
    List<String> accounts = new ArrayList<>(plan.accounts());
    accounts.addAll(RoomTalk.accounts());
    if (options.outside()) {
      accounts.addAll(OutsideSenders.accounts());
    }
    servers.node(0).addAccounts(accounts);
    RealPeer peer = servers.peer();
    if (peer != null) {
      peer.awaitStart();
    }
    for (int node = 0; node < servers.size(); node++) {
      servers.start(node);
    }
    servers.startEdges();
    if (!servers.awaitTogether(TOGETHER_MILLIS)) {
      ledger.violated("the nodes do not become one cluster:\n" + servers.status());
    }
    return plan.withArchive(NoLossClients.hasArchive(servers.front(), plan.accounts().getFirst()));
  }

  private void disturb(ClusterNemesis nemesis, MessageLedger ledger)
      throws IOException, InterruptedException {
    List<ClusterFault> plan = ClusterNemesis.plan(options, random);
    nemesis.rest(random.nextLong(500, 1_500));
    for (ClusterFault fault : plan) {
      nemesis.strike(fault);
    }
    while (ledger.acknowledgedCount() < options.messages()) {
      nemesis.strike(plan.get(random.nextInt(plan.size())));
    }
    nemesis.upgrade();
  }

  /// Receivers outside the cluster get everything in order; what they may get twice is documented.
  private static void judge(MessageLedger outside, MessageLedger ledger) {
    LedgerReport report = outside.report();
    if (!report.clean()) {
      ledger.violated("outside: " + report);
      report.violations().forEach(each -> ledger.violated("outside: " + each));
      report
          .faults()
          .forEach((fault, keys) ->
              keys.stream()
                  .limit(10)
                  .forEach(key -> ledger.violated("outside: " + fault + " " + key)));
    }
  }

  /// What is said in a room must be kept; what else was seen is in the report ([ClusterPromise]).
  private static RoomTalk.Result judge(RoomTalk talk, MessageLedger ledger)
      throws IOException, InterruptedException {
    RoomTalk.Result room = talk.judge();
    if (!room.report().isKept()) {
      ledger.violated("room: " + room.report());
    }
    return room;
  }

  private String text(
      LedgerReport report,
      RoomTalk.Result room,
      NoLossClients.Connections connections,
      ClusterNemesis nemesis,
      long begin) {
    return String.format(
        Locale.ROOT,
        "no-loss over %d nodes%s%s on %s: %s, seed %d, %d s; %s; %d sessions resumed, %d bound, %d begun"
            + " again; room: %s%n%s",
        options.nodes(),
        options.edges() == 0 ? "" : " behind " + options.edges() + " edges",
        options.previous() == null ? "" : " of two builds",
        options.storage(),
        report.clean() ? "OK" : "FAILED",
        options.seed(),
        (System.nanoTime() - begin) / 1_000_000_000,
        report,
        connections.resumed(),
        connections.bound(),
        connections.boundAnew(),
        room.line(),
        nemesis);
  }
}
