package im.zonda.cluster.channel;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.placement.Placement;
import org.jspecify.annotations.Nullable;

/// This node, for the parts of a node that send values to members. Confined to the node's inbox.
public interface LocalMember {
  /// This node.
  Member self();

  /// The current placement; null before the first one, and after this node was evicted.
  @Nullable Placement placement();

  /// Sends a value to a member, which may be this node.
  void send(Member to, NodeValue value);
}
