package im.zonda.cluster.node;

import im.zonda.cluster.Member;
import java.util.Map;

/// The status of a node in its cluster at one moment.
///
/// @param segments the segments whose homes run here
/// @param arriving segments that move to this node
/// @param leaving segments that have left this node and whose homes are still being unloaded
/// @param moved segments whose state waits for their new node
/// @param forwarded stanzas of this node that homes on other nodes have not handled
/// @param waiting the values that each other member has not confirmed
public record NodeStatus(
    int segments,
    int arriving,
    int leaving,
    int moved,
    int forwarded,
    Map<Member, Integer> waiting) {
  /// Before the first placement.
  static final NodeStatus NONE = new NodeStatus(0, 0, 0, 0, 0, Map.of());

  /// Copies the map.
  public NodeStatus {
    waiting = Map.copyOf(waiting);
  }

  /// Whether all homes of this node have moved to other nodes, with their state.
  public boolean hasHandedOver() {
    return segments + arriving + leaving + moved == 0;
  }

  /// Whether no value of this node is on its way to other nodes.
  public boolean isQuiet() {
    return forwarded == 0 && waiting.values().stream().allMatch(count -> count == 0);
  }
}
