package im.zonda.cluster.placement;

import im.zonda.cluster.Member;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The legal table: which member is home and which is standby of each segment. Immutable.
///
/// A member that is draining has no segments, although the engine's table may give it some: the
/// standby is the home then, which is the home in the engine's next table, too, once that member
/// has left. If all members are draining, none is.
public final class Placement {
  private final Stamp stamp;
  private final Set<Member> memberSet;
  private final Topology topology;
  private final Set<Member> draining;
  private final List<Owners> owners;

  /// A placement of which no member is draining.
  ///
  /// @param epoch the number of the legal membership, which is that of the topology
  public Placement(long epoch, Topology topology) {
    this(epoch, topology, Set.of());
  }

  /// @param epoch the number of the legal membership, which is that of the topology
  /// @param draining the members that are to have no segments, the same for all nodes in that epoch
  public Placement(long epoch, Topology topology, Set<Member> draining) {
    this.stamp = new Stamp(epoch, topology.id());
    this.topology = topology;
    this.memberSet = Set.copyOf(topology.members());
    this.draining = draining.containsAll(memberSet) ? Set.of() : Set.copyOf(draining);
    this.owners = topology.owners().stream().map(this::withoutDraining).toList();
  }

  private Owners withoutDraining(Owners table) {
    Member home = table.home();
    Member standby = table.standby();
    if (draining.contains(home)) {
      home = standby == null || draining.contains(standby) ? after(home) : standby;
    }
    if (members().size() > 1
        && (standby == null || standby.equals(home) || draining.contains(standby))) {
      standby = after(home);
    }
    return new Owners(home, standby);
  }

  /// The next member that is not draining; if there is no other, the next one.
  private Member after(Member member) {
    List<Member> members = members();
    int index = members.indexOf(member);
    for (int step = 1; step < members.size(); step++) {
      Member next = members.get((index + step) % members.size());
      if (!draining.contains(next)) {
        return next;
      }
    }
    return members.get((index + 1) % members.size());
  }

  /// Whether a member is to have no segments.
  public boolean isDraining(Member member) {
    return draining.contains(member);
  }

  /// The version.
  public Stamp stamp() {
    return stamp;
  }

  /// All members, the oldest first.
  public List<Member> members() {
    return topology.members();
  }

  /// Whether a process belongs to the cluster.
  public boolean isMember(Member member) {
    return memberSet.contains(member);
  }

  /// Whether a member of the former placement is no longer a member.
  ///
  /// @param before null if there was none
  public boolean hasLostAnyOf(@Nullable Placement before) {
    return before != null && !memberSet.containsAll(before.members());
  }

  /// The number of segments.
  public int segments() {
    return owners.size();
  }

  /// The segment of a bare JID or another name.
  public int segmentOf(String name) {
    return segmentOf(name, segments());
  }

  /// The segment of a name, of `segments`, a power of two that never changes for a cluster.
  public static int segmentOf(String name, int segments) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash ^= hash >>> 33;
    return (int) (hash >>> (Long.numberOfLeadingZeros(segments) + 1));
  }

  /// The only member that handles what concerns the segment.
  public Member home(int segment) {
    return owners.get(segment).home();
  }

  /// The member that keeps the second copy where no other member does; null if there is only one
  /// member. Between the loss of a standby and the engine's choice of another it is the member
  /// after the home.
  public @Nullable Member standby(int segment) {
    return owners.get(segment).standby();
  }
}
