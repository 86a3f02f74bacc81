package im.zonda.app.noloss.cluster;

import im.zonda.app.cluster.ClusterOperations;
import im.zonda.app.noloss.DatabaseFault;
import im.zonda.app.noloss.FaultyDatabase;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.testkit.history.MessageLedger;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/// Brings one fault after another over the nodes of a cluster, in an order that the seed chooses.
final class ClusterNemesis {
  /// Longer than this, the nodes have not found together again.
  private static final long TOGETHER_MILLIS = 90_000;

  /// What a kind of fault has done.
  private static final class Outcome {
    int count;
    long stall;
    long together;
  }

  private final ClusterServers servers;
  private final FaultyDatabase database;
  private final MessageLedger ledger;

  /// Of messages to receivers outside the cluster, which may come twice after any fault.
  private final MessageLedger outside;

  private final DeliveryWatch watch;
  private final SplittableRandom random;
  private final Map<ClusterFault, Outcome> outcomes = new EnumMap<>(ClusterFault.class);

  ClusterNemesis(
      ClusterServers servers,
      FaultyDatabase database,
      MessageLedger ledger,
      MessageLedger outside,
      DeliveryWatch watch,
      SplittableRandom random) {
    this.servers = servers;
    this.database = database;
    this.ledger = ledger;
    this.outside = outside;
    this.watch = watch;
    this.random = random;
  }

  /// The faults of a run: each kind equally often; in order in a short run.
  static List<ClusterFault> plan(ClusterOptions options, SplittableRandom random) {
    List<ClusterFault> plan = new ArrayList<>();
    while (plan.size() < options.faults()) {
      List<ClusterFault> left = new ArrayList<>(options.kinds());
      while (!left.isEmpty()) {
        plan.add(left.remove(options.isLong() ? random.nextInt(left.size()) : 0));
      }
    }
    return plan.subList(0, options.faults());
  }

  /// One fault, from its begin until all nodes are members again.
  void strike(ClusterFault fault) throws IOException, InterruptedException {
    strike(fault, random.nextInt(servers.size()));
  }

  /// Upgrades one node after the other that still runs the other build.
  void upgrade() throws IOException, InterruptedException {
    for (int node = 0; node < servers.size(); node++) {
      if (servers.isPrevious(node)) {
        strike(ClusterFault.BUILD, node);
      }
    }
  }

  private void strike(ClusterFault fault, int victim) throws IOException, InterruptedException {
    watch.takeLongest();
    if (fault.isCut()) {
      loseSessions();
      servers.front().cutOff(true);
    }
    if (fault.isCrash()) {
      ledger.linkBreaks();
    }
    outside.linkBreaks();
    if (fault.evicts()) {
      outside.linkBreaks(); // homes move twice: when the node is evicted, and when it comes back
    }
    bring(fault, victim);
    long begin = System.nanoTime();
    if (!servers.awaitTogether(TOGETHER_MILLIS)) {
      ledger.violated("not all nodes are members after " + fault + ":\n" + servers.status());
    }
    if (fault.isCut()) {
      loseSessions(); // also those that have begun at a node before it was evicted
      servers.front().cutOff(false);
    }
    Outcome outcome = outcomes.computeIfAbsent(fault, _ -> new Outcome());
    outcome.count++;
    outside.linkBroken();
    outcome.together = Math.max(outcome.together, (System.nanoTime() - begin) / 1_000_000);
    if (fault.isCrash()) {
      ledger.linkBroken();
    }
    rest(random.nextLong(1_000, 3_000));
    outcome.stall = Math.max(outcome.stall, watch.takeLongest());
  }

  private void bring(ClusterFault fault, int victim) throws IOException, InterruptedException {
    switch (fault) {
      case KILL -> {
        kill(victim);
        rest(random.nextLong(3_000));
        servers.start(victim);
      }
      case TWO -> {
        int other = (victim + 1 + random.nextInt(servers.size() - 1)) % servers.size();
        kill(victim);
        rest(random.nextLong(2_000));
        kill(other);
        rest(random.nextLong(2_000));
        servers.start(victim);
        servers.start(other);
      }
      case STOP -> suspend(victim, random.nextLong(9_000, 30_000), true);
      case PAUSE -> suspend(victim, random.nextLong(1_000, 5_000), false);
      case PARTITION -> {
        servers.network().isolate(victim);
        heal(random.nextLong(9_000, 30_000));
      }
      case ONEWAY -> {
        if (random.nextBoolean()) {
          servers.network().mute(victim);
        } else {
          servers.network().deafen(victim);
        }
        heal(random.nextLong(9_000, 30_000));
      }
      case BLIP -> {
        servers.network().isolate(victim);
        heal(random.nextLong(500, 3_000));
      }
      case RESTART -> restart(victim);
      case BUILD -> {
        stop(victim);
        servers.changeBuild(victim);
        servers.start(victim);
      }
      case DRAIN -> drain(victim);
      case EDGE -> killEdge();
      case DATABASE -> stopDatabase(random.nextLong(500, 5_000));
    }
  }

  private void kill(int victim) throws InterruptedException {
    servers.shut(victim, true);
    servers.node(victim).kill();
    servers.front().killed();
  }

  private void suspend(int victim, long millis, boolean lost) throws InterruptedException {
    servers.shut(victim, lost);
    servers.node(victim).suspend();
    if (lost) {
      servers.front().killed();
    }
    rest(millis);
    servers.node(victim).resume();
    servers.open(victim);
  }

  /// Any node may be the one that is evicted.
  private void loseSessions() throws InterruptedException {
    for (int node = 0; node < servers.size(); node++) {
      servers.shut(node, true);
      servers.open(node);
    }
  }

  private void heal(long millis) throws InterruptedException {
    rest(millis);
    servers.network().heal();
  }

  private void restart(int victim) throws IOException, InterruptedException {
    stop(victim);
    servers.start(victim);
  }

  private void stop(int victim) throws InterruptedException {
    servers.shut(victim, false);
    if (!servers.node(victim).stop()) {
      ledger.violated("a node does not stop");
    }
  }

  private void drain(int victim) throws IOException, InterruptedException {
    servers.shut(victim, false);
    if (!servers.drain(victim)) {
      ledger.violated("a node cannot be drained");
    }
    rest(random.nextLong(2_000));
    try (OperationRunner node = servers.node(victim).operations()) {
      node.result(ClusterOperations.JOIN, Map.of());
    }
    servers.open(victim);
  }

  private void killEdge() throws IOException, InterruptedException {
    int edge = random.nextInt(servers.edges());
    servers.killEdge(edge);
    rest(random.nextLong(3_000));
    servers.startEdge(edge);
  }

  private void stopDatabase(long millis) throws IOException, InterruptedException {
    try {
      database.begin(DatabaseFault.STOP);
      rest(millis);
      database.end(DatabaseFault.STOP, false);
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  /// Lets time pass.
  void rest(long millis) throws InterruptedException {
    servers.rest(millis);
  }

  /// A table of what happened.
  @Override
  public String toString() {
    StringBuilder table = new StringBuilder();
    table.append(
        String.format(
            "  %-10s %6s %22s %22s%n", "fault", "count", "longest stall", "together after"));
    outcomes.forEach((fault, outcome) ->
        table.append(
            String.format(
                Locale.ROOT,
                "  %-10s %6d %19.1f s  %19.1f s %n",
                fault,
                outcome.count,
                outcome.stall / 1e3,
                outcome.together / 1e3)));
    return table.toString();
  }
}
