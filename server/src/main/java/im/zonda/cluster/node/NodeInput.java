package im.zonda.cluster.node;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.home.StoreAnswer;
import im.zonda.cluster.placement.Topology;

/// What happens to a node.
public sealed interface NodeInput {
  /// The engine has another table.
  record TopologyChanged(Topology topology) implements NodeInput {}

  /// The row of the cluster, as answer to [NodeOutput.ReadRow] and [NodeOutput.CompareAndSet].
  record RowRead(ClusterRow row) implements NodeInput {}

  /// A frame of another process.
  record FrameArrived(Frame frame) implements NodeInput {}

  /// An answer of the database.
  record StoreAnswered(StoreAnswer answer) implements NodeInput {}

  /// A session has waited long enough for its client.
  record SessionExpired(String owner, String session) implements NodeInput {}

  /// To be said some times a second.
  record Ticked() implements NodeInput {}

  /// Leave the cluster; said when this node is neither home nor standby of anything.
  record Leave() implements NodeInput {}

  // ---- clients of this node

  /// A client begins a session.
  record Bind(long connection, String owner, String session, String resource)
      implements NodeInput {}

  /// A client continues a session.
  record Resume(long connection, String owner, String session, long h) implements NodeInput {}

  /// A client has sent a stanza.
  ///
  /// @param stored whether it is stored if its receiver has no session
  record Received(long connection, String to, boolean stored, StanzaBytes bytes)
      implements NodeInput {}

  /// A client has so many stanzas.
  record Acknowledged(long connection, long h) implements NodeInput {}

  /// A connection is gone.
  record Lost(long connection) implements NodeInput {}

  /// A client has ended its session.
  record Ended(long connection) implements NodeInput {}

  /// Close all connections, to be continued at other nodes.
  record CloseClients() implements NodeInput {}
}
