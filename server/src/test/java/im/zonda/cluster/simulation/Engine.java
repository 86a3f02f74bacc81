package im.zonda.cluster.simulation;

import im.zonda.cluster.Member;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A cluster engine: who sees whom, and tables of owners that change in the four phases of a
/// rebalance. Nodes learn each table at a moment of their own, and may miss those in between.
final class Engine {
  /// Processes that see each other, and their table.
  private static final class Group {
    final List<Member> members;
    Topology topology;

    Group(List<Member> members, Topology topology) {
      this.members = members;
      this.topology = topology;
    }
  }

  private final Agenda agenda;
  private final ClusterSimulation simulation;
  private final int segments;

  /// All processes that have joined, the oldest first.
  private final List<Member> joined = new ArrayList<>();

  private List<Group> groups = new ArrayList<>();
  private long topologies;

  Engine(Agenda agenda, ClusterSimulation simulation, int segments) {
    this.agenda = agenda;
    this.simulation = simulation;
    this.segments = segments;
  }

  void join(Member member) {
    joined.add(member);
    agenda.after(agenda.between(1, 20), this::regroup);
  }

  void leave(Member member) {
    joined.remove(member);
    agenda.after(agenda.between(1, 20), this::regroup);
  }

  /// Something has happened to a process or to the network: the engine notices after a time.
  void notice(long least, long most) {
    agenda.after(agenda.between(least, most), this::regroup);
  }

  private void regroup() {
    joined.removeIf(member -> simulation.isDead(member));
    List<Member> seen = joined.stream().filter(simulation::isSeen).toList();
    List<Group> next = new ArrayList<>();
    Set<Member> grouped = new HashSet<>();
    for (Member member : seen) {
      if (grouped.contains(member)) {
        continue;
      }
      List<Member> members = component(member, seen);
      grouped.addAll(members);
      next.add(groupOf(members));
    }
    groups = next;
  }

  private List<Member> component(Member first, List<Member> seen) {
    Set<Member> found = new HashSet<>(Set.of(first));
    boolean grown = true;
    while (grown) {
      grown = false;
      for (Member member : seen) {
        if (!found.contains(member) && found.stream().anyMatch(each -> connected(each, member))) {
          found.add(member);
          grown = true;
        }
      }
    }
    return seen.stream().filter(found::contains).toList();
  }

  private boolean connected(Member a, Member b) {
    return !simulation.network().isCut(a.name(), b.name());
  }

  private Group groupOf(List<Member> members) {
    Group largest = null;
    long most = 0;
    for (Group group : groups) {
      if (group.members.equals(members)) {
        return group;
      }
      long common = group.members.stream().filter(members::contains).count();
      if (common > most) {
        most = common;
        largest = group;
      }
    }
    List<Owners> owners = new ArrayList<>();
    for (int segment = 0; segment < segments; segment++) {
      owners.add(survivors(largest, segment, members));
    }
    Group group = new Group(members, new Topology(++topologies, members, owners));
    publish(group, true);
    rebalance(group);
    return group;
  }

  private Owners survivors(@Nullable Group before, int segment, List<Member> members) {
    if (before != null) {
      Owners owners = before.topology.owners().get(segment);
      Member standby = owners.standby();
      if (members.contains(owners.home())) {
        return new Owners(
            owners.home(), standby != null && members.contains(standby) ? standby : null);
      }
      if (standby != null && members.contains(standby)) {
        return new Owners(standby, null);
      }
    }
    return new Owners(ranked(segment, members).getFirst(), null);
  }

  private static List<Member> ranked(int segment, List<Member> members) {
    return members.stream()
        .sorted(
            Comparator.comparingInt(
                member -> ((member.name().hashCode() * 31 + segment) * 0x9E3779B1) >>> 7))
        .toList();
  }

  /// A node was told to give its segments away, or the table does not fit the members.
  void rebalanceAll() {
    groups.forEach(this::rebalance);
  }

  private void rebalance(Group group) {
    List<Member> able =
        group.members.stream().filter(member -> !simulation.isDraining(member)).toList();
    List<Owners> wanted = new ArrayList<>();
    for (int segment = 0; segment < segments; segment++) {
      List<Member> ranked = ranked(segment, able.isEmpty() ? group.members : able);
      wanted.add(new Owners(ranked.getFirst(), ranked.size() > 1 ? ranked.get(1) : null));
    }
    phase(group, wanted, 1);
  }

  /// READ_OLD_WRITE_ALL and READ_ALL_WRITE_ALL keep the home; READ_NEW_WRITE_ALL has the new one,
  /// and NO_REBALANCE repeats it.
  private void phase(Group group, List<Owners> wanted, int phase) {
    agenda.after(
        agenda.between(1, 60),
        () -> {
          if (!groups.contains(group)) {
            return;
          }
          List<Owners> owners = phase <= 2 ? group.topology.owners() : wanted;
          group.topology = new Topology(++topologies, group.members, owners);
          publish(group, phase == 4);
          if (phase < 4) {
            phase(group, wanted, phase + 1);
          }
        });
  }

  private void publish(Group group, boolean all) {
    Topology topology = group.topology;
    for (Member member : group.members) {
      if (all || !agenda.oneIn(6)) {
        simulation.topologyChanged(member, topology);
      }
    }
  }

  /// Whether the last table is this one, for all.
  boolean isCalm(List<Member> members, @Nullable Long topology) {
    return groups.size() == 1
        && groups.getFirst().members.equals(members)
        && topology != null
        && groups.getFirst().topology.id() == topology;
  }

  List<Member> joined() {
    return joined;
  }
}
