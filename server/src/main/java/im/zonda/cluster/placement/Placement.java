package im.zonda.cluster.placement;

import im.zonda.cluster.Member;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The legal table: which member is home and which is standby of each segment. Immutable.
public final class Placement {
  private final Stamp stamp;
  private final Set<Member> memberSet;
  private final Topology topology;

  /// @param epoch the number of the legal membership, which is that of the topology
  public Placement(long epoch, Topology topology) {
    this.stamp = new Stamp(epoch, topology.id());
    this.topology = topology;
    this.memberSet = Set.copyOf(topology.members());
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

  /// The number of segments.
  public int segments() {
    return topology.owners().size();
  }

  /// The segment of a bare JID or another name.
  public int segmentOf(String name) {
    return segmentOf(name, segments());
  }

  /// The segment of a name among so many, a power of two. Never changes for a cluster.
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
    return topology.owners().get(segment).home();
  }

  /// The member that keeps the second copy where no other member does; null if there is only one
  /// member. Between the loss of a standby and the engine's choice of another it is the member
  /// after the home.
  public @Nullable Member standby(int segment) {
    Owners owners = topology.owners().get(segment);
    if (owners.standby() != null || members().size() == 1) {
      return owners.standby();
    }
    return members().get((members().indexOf(owners.home()) + 1) % members().size());
  }
}
