package im.zonda.edge.core;

import im.zonda.edge.ToEdge;

/// What streams and sessions send to their edge. Any thread may call.
interface EdgeOutput {
  /// Sends a value.
  void send(ToEdge value);

  /// Sends a value that has been written.
  void sendBytes(byte[] frame);

  /// Ends the connection because the edge has sent what it must not.
  void violation(String what);
}
