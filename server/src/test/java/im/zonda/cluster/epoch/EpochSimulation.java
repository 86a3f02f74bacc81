package im.zonda.cluster.epoch;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.Member;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import im.zonda.cluster.rule.ProtocolRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Processes with an [Epoch] each, an engine that groups those that see each other, and the row in
/// the database, in one thread and in an order that follows from a seed. Processes are killed,
/// stand still, are cut off, drain, leave and start again; the database goes away.
///
/// What must hold:
///
/// - E1: all placements of an epoch have the same members.
/// - E2: members are removed from the row by a majority of them, or after nobody has renewed the
///   row for the patience of those that remain.
/// - E3: when the faults end, all processes come to one placement.
final class EpochSimulation {
  static final long PATIENCE = 500;

  /// How long it takes at most until the engine notices that a process is gone.
  private static final int DETECTION = 300;

  /// How long a request takes at most on its way to the database.
  private static final int TO_DATABASE = 8;

  private static final long REST = 60_000;

  /// What did not hold.
  static final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1;

    final String invariant;

    Violation(String invariant, String text) {
      super(invariant + ": " + text);
      this.invariant = invariant;
    }
  }

  private final SimulatedTime time;
  private final ProtocolRules rules;
  private final List<SimulatedMember> running = new ArrayList<>();
  private final Set<String> cutOff = new HashSet<>();
  private final Map<Long, Set<Member>> placements = new HashMap<>();
  private final int nodes;
  private ClusterRow row = ClusterRow.EMPTY;

  /// The times at which the row was renewed.
  private final List<Long> renewals = new ArrayList<>(List.of(-100_000L));

  private boolean databaseAway;
  private long incarnations;
  private long topologies;

  EpochSimulation(long seed, ProtocolRules rules) {
    this.time = new SimulatedTime(seed);
    this.rules = rules;
    this.nodes = 2 + time.number(4);
    for (int node = 0; node < nodes; node++) {
      start("n" + node);
    }
  }

  SimulatedTime time() {
    return time;
  }

  ProtocolRules rules() {
    return rules;
  }

  /// The present epoch of the row.
  long epoch() {
    return row.epoch();
  }

  /// Disturbs the cluster `actions` times, lets it rest and checks E3.
  void run(int actions) {
    time.run(500);
    for (int action = 0; action < actions; action++) {
      act();
      time.run(time.between(1, 400));
    }
    rest();
  }

  private void act() {
    if (running.isEmpty()) {
      return;
    }
    SimulatedMember any = running.get(time.number(running.size()));
    switch (time.number(7)) {
      case 0 -> kill(any);
      case 1 -> {
        any.pause();
        regroupAfter(DETECTION, DETECTION + 50);
        time.after(
            20,
            2_000,
            () -> {
              any.wake();
              regroupAfter(10, 300);
            });
      }
      case 2, 3 -> {
        cutOff.add(any.member().name());
        regroupAfter(30, DETECTION);
        time.after(
            20,
            2_500,
            () -> {
              cutOff.clear();
              regroupAfter(1, 100);
            });
      }
      case 4 -> {
        databaseAway = true;
        time.after(20, 1_200, () -> databaseAway = false);
      }
      case 5 -> any.epoch().drain(time.oneIn(2));
      default -> any.epoch().leave();
    }
  }

  private void rest() {
    cutOff.clear();
    regroupAfter(1, 10);
    long end = time.now() + REST;
    while (!isCalm()) {
      if (time.now() >= end) {
        throw new Violation("E3", row + " " + running);
      }
      time.run(50);
    }
  }

  private boolean isCalm() {
    return running.size() == nodes
        && Set.copyOf(members()).equals(Set.copyOf(row.members()))
        && running.stream().allMatch(each -> each.placement() == row.epoch());
  }

  private List<Member> members() {
    return running.stream().map(SimulatedMember::member).toList();
  }

  // ---- processes

  private void start(String name) {
    running.add(new SimulatedMember(new Member(name, ++incarnations), this));
    regroupAfter(1, 20);
  }

  private void kill(SimulatedMember process) {
    end(process, 20, 150);
  }

  /// A process has left, or rejoins because it was evicted.
  void end(SimulatedMember process) {
    end(process, 1, 20);
  }

  private void end(SimulatedMember process, long least, long most) {
    if (running.remove(process)) {
      process.end();
      regroupAfter(least, most);
      time.after(30, 1_500, () -> start(process.member().name()));
    }
  }

  // ---- the engine

  private void regroupAfter(long least, long most) {
    time.after(least, most, this::regroup);
  }

  /// Each process learns of a topology at a moment of its own; those in between may be missed.
  private void regroup() {
    List<SimulatedMember> seen =
        running.stream().filter(each -> !each.isPausedFor(DETECTION)).toList();
    publish(seen.stream().filter(each -> !cutOff.contains(each.member().name())).toList());
    publish(seen.stream().filter(each -> cutOff.contains(each.member().name())).toList());
  }

  private void publish(List<SimulatedMember> group) {
    if (!group.isEmpty()) {
      List<Member> members = group.stream().map(SimulatedMember::member).toList();
      Owners owners = new Owners(members.getFirst(), null);
      Topology topology = new Topology(++topologies, members, List.of(owners, owners));
      group.forEach(each -> each.topologyChanged(topology));
    }
  }

  // ---- what processes do

  void readRow(SimulatedMember process) {
    time.after(
        1,
        TO_DATABASE,
        () -> {
          if (!databaseAway) {
            ClusterRow read = row;
            time.after(1, 5, () -> process.rowRead(read));
          }
        });
  }

  void renew(long epoch) {
    if (!databaseAway && row.epoch() == epoch) {
      row = row.withRenewals(row.renewals() + 1);
      renewals.add(time.now());
    }
  }

  void compareAndSet(SimulatedMember process, long expected, ClusterRow next) {
    time.after(
        1,
        TO_DATABASE,
        () -> {
          if (!databaseAway && row.epoch() == expected) {
            checkRemoved(process.member(), row, next);
            row = next.withRenewals(row.renewals());
            renewals.add(time.now());
          }
          readRow(process);
        });
  }

  /// E2.
  private void checkRemoved(Member by, ClusterRow before, ClusterRow next) {
    Set<Member> lost = new HashSet<>(before.members());
    lost.removeAll(next.members());
    int survivors = before.members().size() - lost.size();
    lost.remove(by); // it leaves
    lost.removeIf(each -> isReplaced(each, next));
    if (lost.isEmpty() || 2 * survivors > before.members().size()) {
      return;
    }
    long patience = survivors > 0 ? PATIENCE : Epoch.NEWCOMERS * PATIENCE;
    long decided = time.now() - TO_DATABASE;
    long renewed = renewals.stream().filter(at -> at <= decided).reduce(0L, (_, at) -> at);
    if (time.now() - renewed < patience) {
      throw new Violation("E2", by + " makes " + next.members() + " of " + before.members());
    }
  }

  private static boolean isReplaced(Member member, ClusterRow next) {
    return next.members().stream()
        .anyMatch(
            each -> each.name().equals(member.name()) && each.incarnation() > member.incarnation());
  }

  /// E1.
  void installed(Member at, Placement placement) {
    Set<Member> members = Set.copyOf(placement.members());
    Set<Member> others = placements.putIfAbsent(placement.stamp().epoch(), members);
    if (others != null && !others.equals(members)) {
      throw new Violation("E1", at + " installs " + members + " where others have " + others);
    }
  }
}
