package im.zonda.cluster.simulation;

import im.zonda.cluster.frame.Delivery;
import im.zonda.cluster.frame.SessionCopy;
import im.zonda.cluster.home.Home;
import im.zonda.cluster.home.HomeState;
import im.zonda.cluster.node.ClusterNode;
import im.zonda.cluster.placement.Placement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What must hold at any time, over all processes.
final class Invariants {
  /// How long it may take until there are two copies again.
  private static final int RECOVERY = 1_500;

  /// Clients, and connections that they have left.
  private static final int CONNECTIONS = 9;

  private final Agenda agenda;
  private final ClusterLedger ledger;
  private final Database database;
  private final Collection<SimulatedProcess> processes;
  private long checks;

  /// When a copy may last have been the only one: a process was alone, or another one was lost.
  private long lastSingle = -RECOVERY;

  /// @param processes a view of all processes
  Invariants(
      Agenda agenda,
      ClusterLedger ledger,
      Database database,
      Collection<SimulatedProcess> processes) {
    this.agenda = agenda;
    this.ledger = ledger;
    this.database = database;
    this.processes = processes;
  }

  /// A process is gone.
  void lost() {
    lastSingle = agenda.now();
  }

  private List<SimulatedProcess> alive() {
    return processes.stream().filter(SimulatedProcess::isAlive).toList();
  }

  /// I3 and I7; called after each input of a node.
  void check(SimulatedProcess process) {
    Placement placement = process.node.placement();
    if (placement == null) {
      return;
    }
    if (placement.members().size() == 1) {
      lastSingle = agenda.now();
    }
    checkHomes(process, placement);
    if (++checks % 16 != 0) {
      return;
    }
    ClusterNode.Sizes sizes = process.node.sizes();
    int bound = 64 * CONNECTIONS * 5;
    ledger.check(
        sizes.edge() <= 64
            && sizes.outbox() <= bound
            && sizes.home() <= bound
            && sizes.link() <= 4 * bound,
        "I7",
        () -> process + " " + sizes);
  }

  private void checkHomes(SimulatedProcess process, Placement placement) {
    for (SimulatedProcess other : processes) {
      Placement theirs = other.node.placement();
      if (other == process
          || theirs == null
          || theirs.stamp().epoch() != placement.stamp().epoch()
          || !other.isAlive()) {
        continue;
      }
      for (int segment = 0; segment < ClusterSimulation.SEGMENTS; segment++) {
        int at = segment;
        ledger.check(
            process.node.homes().get(segment).state() != HomeState.OWN
                || other.node.homes().get(segment).state() != HomeState.OWN,
            "I3",
            () -> process + " and " + other + " are home of " + at);
      }
    }
  }

  /// I3: a session has one connection.
  void checkAttached(String session) {
    for (SimulatedProcess process : alive()) {
      Placement placement = process.node.placement();
      for (SimulatedProcess other : alive()) {
        ledger.check(
            process == other
                || placement == null
                || process.isPaused()
                || !other.actsIn(placement)
                || !process.node.isAttached(session)
                || !other.node.isAttached(session),
            "I3",
            () -> session + " is attached at " + process + " and " + other);
      }
    }
  }

  /// Who has a message that was acknowledged: two processes, one while the cluster recovers, or the
  /// database.
  @Nullable String problem(ClusterLedger.Message message) {
    if (database.keeps(message.to, message.text)) {
      return null;
    }
    int segment = Placement.segmentOf(message.to, ClusterSimulation.SEGMENTS);
    Map<String, Boolean> having = new HashMap<>();
    for (SimulatedProcess process : alive()) {
      Home home = process.node.homes().get(segment);
      List<SessionCopy> copies = new ArrayList<>(home.sessions());
      copies.addAll(process.node.copies(segment));
      for (SessionCopy copy : copies) {
        if (copy.owner().equals(message.to) && has(copy, message)) {
          having.put(process.member.name(), true);
        }
      }
    }
    int needed = agenda.now() - lastSingle < RECOVERY ? 1 : 2;
    return having.size() >= needed ? null : "copies at " + having.keySet();
  }

  private static boolean has(SessionCopy copy, ClusterLedger.Message message) {
    for (Delivery delivery : copy.queue()) {
      if (delivery.stanza().bytes().text().equals(message.text)) {
        return true;
      }
    }
    // A room's log is trimmed when all homes of the occupants have it.
    return message.room && copy.seen().getOrDefault(message.session, 0L) >= message.number;
  }
}
