package im.zonda.link.keeper;

import im.zonda.link.ToSession;

/// The way from a stream to its session, as long as the session's home is in one place. What comes
/// back goes to [SessionKeeper#receive(ToStream, SessionWire)]. Two wires are equal only if they
/// are the same.
public interface SessionWire {
  /// Sends a value, after those before it. Called by one thread at a time, without a lock; returns
  /// at once.
  void send(ToSession value);

  /// Whether so much waits to be sent that what is large should be sent later.
  default boolean isFull() {
    return false;
  }

  /// Whether the home is not at the other end any more.
  default boolean isAway() {
    return false;
  }
}
