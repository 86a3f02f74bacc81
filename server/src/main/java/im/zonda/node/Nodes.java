package im.zonda.node;

import im.zonda.cluster.placement.ClusterView;
import im.zonda.link.SessionGate;
import im.zonda.node.copy.Replication;
import im.zonda.node.stanza.StanzaForwarder;
import java.util.function.UnaryOperator;

/// The ports by which a server uses the other nodes of its cluster. They stay the same while the
/// process leaves the cluster and joins it again.
///
/// @param view which nodes there are, and what is on them
/// @param forwarder brings stanzas to homes on other nodes
/// @param replication has the state of homes copied
/// @param sender says something to parts of the server on other nodes
/// @param gate makes the gate for streams of this node, which opens links to sessions on whatever
///   node they are, from the one that opens links to sessions of this node
public record Nodes(
    ClusterView view,
    StanzaForwarder forwarder,
    Replication replication,
    Post.Sender sender,
    UnaryOperator<SessionGate> gate) {
  /// A server without a cluster: everything is here.
  public static final Nodes NONE =
      new Nodes(
          ClusterView.NONE,
          StanzaForwarder.NONE,
          Replication.NONE,
          Post.Sender.NONE,
          UnaryOperator.identity());
}
