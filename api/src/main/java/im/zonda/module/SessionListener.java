package im.zonda.module;

import im.zonda.session.Home;
import im.zonda.session.Session;

/// Is told of sessions, at the account's home. Must not block.
public interface SessionListener {
  /// The session has been bound; the client does not know yet.
  default void bound(Home home, Session session) {}

  /// The session has ended, for whatever reason; it is no longer among the home's sessions. Its
  /// presence and values are still what they were.
  default void ended(Home home, Session session) {}
}
