package im.zonda.link.keeper;

import im.zonda.link.ToSession;

/// A connection from a stream to the present place of its session's home. Values of the session go
/// to [SessionKeeper#receive(ToStream, SessionWire)]. Compared by identity.
public interface SessionWire {
  /// Sends a value, in order. Called by one thread at a time, without a lock; returns at once.
  void send(ToSession value);

  /// Whether so much waits to be sent that what is large should be sent later.
  default boolean isFull() {
    return false;
  }

  /// Whether the home has left the other end.
  default boolean isAway() {
    return false;
  }
}
