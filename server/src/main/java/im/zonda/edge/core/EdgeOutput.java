package im.zonda.edge.core;

import im.zonda.edge.ToEdge;
import im.zonda.jid.Jid;
import im.zonda.link.ToStream;
import org.jspecify.annotations.Nullable;

/// The output of streams and sessions to their edge. Any thread may call.
interface EdgeOutput {
  /// Sends a value.
  void send(ToEdge value);

  /// Sends a value to a stream, or its replacement if it is too large.
  void send(long number, ToStream value);

  /// Whether too much waits for the edge to add a stanza of `bytes` bytes: then its stream ends,
  /// not the connection that all streams share.
  boolean isTooMuch(int bytes);

  /// Sends the state of a session, with a proof for the process that has the session now. Sends
  /// nothing if that is not known.
  ///
  /// @param state null if it is the same as before
  /// @return that process
  @Nullable String sendState(long number, Jid jid, @Nullable String state, byte[] digest);

  /// The process that has the session now; null if that is not known at present.
  @Nullable String processOf(Jid jid);

  /// Ends the connection because the edge has sent what it must not.
  void violation(String what);
}
