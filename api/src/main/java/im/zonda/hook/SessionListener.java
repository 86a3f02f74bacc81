package im.zonda.hook;

import im.zonda.session.Home;
import im.zonda.session.Session;

/// Observes the sessions of accounts, at the account's home. Must not block.
public interface SessionListener {
  /// The session was bound; the client has not been answered yet.
  default void bound(Home home, Session session) {}

  /// The session has ended and is no longer among the home's sessions. It still has its presence
  /// and its values.
  default void ended(Home home, Session session) {}
}
