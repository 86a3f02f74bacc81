package im.zonda.cluster.epoch;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Stamp;
import im.zonda.cluster.placement.Topology;
import im.zonda.cluster.rule.ProtocolRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Decides which topologies are legal. A topology is, if its members are exactly those of the row
/// in the database; with the row's epoch it is a [Placement]. Both sides of a split cannot be
/// legal, because only one of them changes the row.
///
/// The oldest member of a view proposes: new processes are added at once. If members are lost, a
/// majority of those in the row evicts them at once; a minority waits until the row has not been
/// renewed for the time of its patience, so that of two nodes either one can evict the other. A
/// member whose node has started again is evicted at once. Time in which the row could not be read
/// does not count. A member renews the row while it sees all members.
///
/// A member that misses the majority while the row is renewed leaves: another member sees all and
/// cannot evict it, because the connection between them works in one direction only.
public final class Epoch {
  /// How many times longer processes wait of which none was a member before: those that were may
  /// only stand still, and have sessions that the others have not.
  static final int NEWCOMERS = 12;

  private final Member self;
  private final long patience;
  private final ProtocolRules rules;
  private final EpochOutput output;

  /// How many times the patience a member waits before it leaves. Longer than it takes until two
  /// parts of a cluster that see each other again have joined.
  static final int ONE_WAY = 2;

  private @Nullable Topology topology;
  private @Nullable ClusterRow row;
  private Stamp installed = Stamp.NONE;
  private boolean joined;
  private boolean leaving;
  private boolean draining;
  private boolean over;
  private boolean suspended;

  /// The row that was seen unchanged since [#unchangedSince]; null while nobody is lost.
  private @Nullable ClusterRow unchanged;

  private long unchangedSince;

  /// Since when the majority is missed while others see all; null while that is not so.
  private @Nullable Long oneWaySince;

  private long lastRead;

  /// @param patience how long a minority waits, in milliseconds; the row is to be read more than
  ///   twice in that time
  public Epoch(Member self, long patience, ProtocolRules rules, EpochOutput output) {
    this.self = self;
    this.patience = patience;
    this.rules = rules;
    this.output = output;
  }

  /// The engine has another table.
  public void topologyChanged(Topology next) {
    topology = next;
    if (row != null && isLegal(next, row)) {
      install(next, row);
    } else {
      output.readRow();
    }
  }

  /// Leave the cluster. To be called when this node is neither home nor standby of anything.
  public void leave() {
    leaving = true;
    output.readRow();
  }

  /// Whether this node is to have no homes, from the next epoch on.
  public void drain(boolean wanted) {
    draining = wanted;
    output.readRow();
  }

  /// To be called some times a second. The row is read while something is to be decided, and seldom
  /// otherwise.
  public void tick() {
    ClusterRow known = row;
    Topology seen = topology;
    if (known != null && seen != null && joined && seen.members().containsAll(known.members())) {
      output.renew(known.epoch());
    }
    output.readRow();
  }

  /// The row as the database has it now.
  ///
  /// @param now milliseconds that grow with time
  public void rowRead(ClusterRow next, long now) {
    if (over || (row != null && next.epoch() < row.epoch())) {
      return;
    }
    if (now - lastRead > patience / 2) {
      // The database was away, or this process stood still: others could not renew either.
      unchanged = null;
      oneWaySince = null;
    }
    lastRead = now;
    row = next;
    if (next.members().contains(self)) {
      joined = true;
    } else if (joined || !isNew(self, next)) {
      // It was a member, perhaps of an epoch that it has not seen.
      evict(next);
      return;
    }
    Topology seen = topology;
    if (seen == null) {
      return;
    }
    if (leaving && joined) {
      List<Member> others = new ArrayList<>(next.members());
      others.remove(self);
      output.compareAndSet(next.epoch(), next(next, others));
    } else if (isLegal(seen, next)) {
      install(seen, next);
      changeDraining(next);
    } else {
      decide(seen, next, now);
    }
  }

  private void changeDraining(ClusterRow known) {
    if (joined && known.draining().contains(self) != draining) {
      Set<Member> changed = new HashSet<>(known.draining());
      if (!changed.remove(self)) {
        changed.add(self);
      }
      // The last one keeps its homes.
      if (!changed.containsAll(known.members())) {
        output.compareAndSet(known.epoch(), next(known, known.members(), changed));
      }
    }
  }

  private void evict(ClusterRow next) {
    if (leaving) {
      over = true;
      output.left();
    } else if (rules.restartsWhenEvicted()) {
      over = true;
      output.evicted(next);
    }
  }

  private boolean isLegal(Topology seen, ClusterRow known) {
    return rules.isLegal(Set.copyOf(seen.members()).equals(Set.copyOf(known.members())));
  }

  private void install(Topology seen, ClusterRow known) {
    unchanged = null;
    oneWaySince = null;
    suspend(false);
    Placement placement = new Placement(known.epoch(), seen, known.draining());
    if (placement.stamp().compareTo(installed) > 0 && placement.isMember(self)) {
      installed = placement.stamp();
      output.install(placement);
    }
  }

  private void decide(Topology seen, ClusterRow known, long now) {
    Set<Member> missing = new HashSet<>(known.members());
    missing.removeAll(seen.members());
    int survivors = known.members().size() - missing.size();
    missing.removeIf(member -> isReplaced(member, seen));
    boolean lost = !missing.isEmpty();
    suspend(lost && joined);
    boolean majority = rules.isMajority(survivors, known.members().size());
    boolean patient = waited(lost, known, survivors > 0 ? patience : NEWCOMERS * patience, now);
    if (givesWay(lost && joined && !majority, now)) {
      evict(known);
      return;
    }
    if (!seen.members().getFirst().equals(self) || (!joined && !isNew(self, known))) {
      return;
    }
    List<Member> members = new ArrayList<>();
    for (Member member : seen.members()) {
      if (known.members().contains(member) || isNew(member, known)) {
        members.add(member);
      }
    }
    if (!Set.copyOf(members).equals(Set.copyOf(known.members()))
        && (!lost || majority || patient)) {
      output.compareAndSet(known.epoch(), next(known, members));
    }
  }

  /// Whether the row has not been touched for long enough.
  private boolean waited(boolean lost, ClusterRow known, long time, long now) {
    if (!lost) {
      unchanged = null;
      return false;
    }
    if (!known.equals(unchanged)) {
      unchanged = known;
      unchangedSince = now;
    }
    return rules.isAbandoned(now - unchangedSince, time);
  }

  /// Whether this process has missed most members for [#ONE_WAY] times the patience while another
  /// one renews the row, and so sees all.
  private boolean givesWay(boolean missed, long now) {
    if (!missed || now - unchangedSince > patience / 2) {
      oneWaySince = null; // no member renews the row, or this process misses none
      return false;
    }
    if (oneWaySince == null) {
      oneWaySince = now;
    }
    return now - oneWaySince > ONE_WAY * patience;
  }

  /// Whether the process has ended for certain, because its node has started again.
  private static boolean isReplaced(Member member, Topology seen) {
    return seen.members().stream()
        .anyMatch(
            each -> each.name().equals(member.name()) && each.incarnation() > member.incarnation());
  }

  private static boolean isNew(Member member, ClusterRow known) {
    return member.incarnation() > known.incarnations().getOrDefault(member.name(), 0L);
  }

  private static ClusterRow next(ClusterRow known, List<Member> members) {
    Set<Member> draining = new HashSet<>(known.draining());
    draining.retainAll(members);
    return next(known, members, draining);
  }

  private static ClusterRow next(ClusterRow known, List<Member> members, Set<Member> draining) {
    Map<String, Long> incarnations = new HashMap<>(known.incarnations());
    for (Member member : members) {
      incarnations.merge(member.name(), member.incarnation(), Math::max);
    }
    return new ClusterRow(
        known.epoch() + 1, members, incarnations, known.renewals(), draining, Frame.VERSION);
  }

  private void suspend(boolean next) {
    if (suspended != next) {
      suspended = next;
      output.suspend(next);
    }
  }
}
