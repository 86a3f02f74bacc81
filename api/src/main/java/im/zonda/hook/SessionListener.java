package im.zonda.hook;

import im.zonda.jid.Jid;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import java.util.List;
import java.util.Map;

/// Observes the sessions of accounts, at the account's home. Must not block.
public interface SessionListener {
  /// The session was bound; the client has not been answered yet.
  default void bound(Home home, Session session) {}

  /// The session was recovered at this node of a cluster after the node of its home died. It may
  /// have missed stanzas that were not addressed to the account alone. Its values reflect every
  /// stanza of the client that has been counted (XEP-0198); the client sends the others again.
  default void recovered(Home home, Session session, Snapshot snapshot) {}

  /// The session has fallen asleep ([Session#isAsleep]).
  ///
  /// @param unacknowledged messages that the client may not have got because its stream was lost,
  ///   oldest first; none if the client has become inactive
  default void asleep(Home home, Session session, List<Message> unacknowledged) {}

  /// The session has ended and is no longer among the home's sessions. It still has its presence
  /// and its values.
  default void ended(Home home, Session session) {}

  /// What the client of a recovered session was sent by former homes. The values that modules keep
  /// with the session may be older than the last of these stanzas.
  ///
  /// @param unacknowledged the stanzas that the client has not acknowledged, oldest first
  /// @param lastIds by rooms: the `stanza-id` (XEP-0359) of the last message of each that the
  ///   client has acknowledged, where its stream knows it
  record Snapshot(List<Stanza> unacknowledged, Map<Jid, String> lastIds) {
    /// Copies the collections.
    public Snapshot {
      unacknowledged = List.copyOf(unacknowledged);
      lastIds = Map.copyOf(lastIds);
    }
  }
}
