package im.zonda.cluster.edge;

import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.RoutedStanza;

/// Takes what an edge puts out.
public interface EdgeOutput {
  /// A value for the home of its owner, in the placement that is installed.
  void toHome(NodeValue.ToHome value);

  /// A stanza of a client, for the outbox.
  void route(String owner, RoutedStanza stanza, long connection);

  /// A value for the stream of a client.
  void toStream(long connection, EdgeReply reply);
}
