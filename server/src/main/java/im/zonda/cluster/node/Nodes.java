package im.zonda.cluster.node;

import im.zonda.cluster.forward.StanzaForwarder;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.cluster.placement.ClusterView;
import im.zonda.cluster.replica.Replication;
import im.zonda.link.SessionGate;
import java.util.function.UnaryOperator;

/// The ports by which a server uses the other nodes of its cluster. They stay the same while the
/// process leaves the cluster and joins it again.
///
/// @param view the members, and the homes on them
/// @param forwarder forwards stanzas to homes on other nodes
/// @param replication replicates the state of homes
/// @param sender sends messages to parts of the server on other nodes
/// @param gate makes the gate for streams of this node, which opens links to sessions on whatever
///   node they are, from the one that opens links to sessions of this node
public record Nodes(
    ClusterView view,
    StanzaForwarder forwarder,
    Replication replication,
    NodeMessage.Sender sender,
    UnaryOperator<SessionGate> gate) {
  /// A server without a cluster: it has all homes.
  public static final Nodes NONE =
      new Nodes(
          ClusterView.NONE,
          StanzaForwarder.NONE,
          Replication.NONE,
          NodeMessage.Sender.NONE,
          local -> local);
}
