package im.zonda.cluster.node;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.Member;
import im.zonda.cluster.edge.EdgeReply;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.home.StoreRequest;
import java.util.List;

/// What a node wants done.
public sealed interface NodeOutput {
  /// Send a frame. It may be lost, but must not overtake another one.
  record Send(Member to, Frame frame) implements NodeOutput {}

  /// Tell the stream of a client.
  record ToStream(long connection, EdgeReply reply) implements NodeOutput {}

  /// Ask the database.
  record Store(StoreRequest request) implements NodeOutput {}

  /// Read the row of the cluster.
  record ReadRow() implements NodeOutput {}

  /// Replace the row if its epoch is still that one, then read it.
  record CompareAndSet(long expected, ClusterRow next) implements NodeOutput {}

  /// Add one to the renewals of the row if it has that epoch.
  record Renew(long epoch) implements NodeOutput {}

  /// Stop or begin to read from all clients.
  record Suspend(boolean suspended) implements NodeOutput {}

  /// Forget everything, close all connections and begin again as a new incarnation, with these
  /// stanzas: nobody else has them.
  record Restart(List<Replay> replays) implements NodeOutput {}

  /// The node is no member any more, as it wanted.
  record HasLeft() implements NodeOutput {}
}
