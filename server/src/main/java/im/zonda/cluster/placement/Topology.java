package im.zonda.cluster.placement;

import im.zonda.cluster.Member;
import java.util.List;

/// The table of the cluster engine, as one node has seen it. It is only a proposal until the
/// membership is legal.
///
/// @param id grows with each table of the engine
/// @param members the oldest first: the first one coordinates
/// @param owners the owners of each segment; the number of segments is a power of two
public record Topology(long id, List<Member> members, List<Owners> owners) {
  /// Copies the lists.
  public Topology {
    members = List.copyOf(members);
    owners = List.copyOf(owners);
    if (owners.size() < 2 || Integer.bitCount(owners.size()) != 1) {
      throw new IllegalArgumentException("segments: " + owners.size());
    }
  }
}
