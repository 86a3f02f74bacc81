package im.zonda.cluster.edge;

import im.zonda.cluster.frame.Delivery;
import im.zonda.cluster.frame.NodeValue;

/// What an edge tells the stream of a client.
public sealed interface EdgeReply {
  /// The session has begun or is continued; `<resumed h/>`.
  record Attached(long handled) implements EdgeReply {}

  /// The session is not continued.
  record Refused(NodeValue.Reason reason) implements EdgeReply {}

  /// So many of the client's stanzas are SAFE; `<a h/>`.
  record Handled(long h) implements EdgeReply {}

  /// A stanza for the client.
  record Deliver(Delivery delivery) implements EdgeReply {}

  /// Stop reading: too many of the client's stanzas are not SAFE.
  record Pause() implements EdgeReply {}

  /// Read again.
  record Unpause() implements EdgeReply {}

  /// Close the stream. The session may be continued elsewhere.
  record Close() implements EdgeReply {}
}
