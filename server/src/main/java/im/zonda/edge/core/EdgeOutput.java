package im.zonda.edge.core;

import im.zonda.edge.ToEdge;
import org.jspecify.annotations.Nullable;

/// What streams and sessions send to their edge. Any thread may call.
interface EdgeOutput {
  /// Sends a value.
  void send(ToEdge value);

  /// Sends a value that has been written.
  void sendBytes(byte[] frame);

  /// Sends the state of a session, with a proof.
  ///
  /// @param state null if it is the same as before
  void sendState(long number, @Nullable String state, byte[] digest);

  /// Ends the connection because the edge has sent what it must not.
  void violation(String what);
}
