package im.zonda.home.session;

import im.zonda.jid.Jid;
import im.zonda.link.SessionVersion;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The snapshot of a session that a restart of the server reads back, so that the client can resume
/// it (XEP-0198, section 5).
///
/// @param jid its full address
/// @param id the id by which it is found, hashed
/// @param until when it expires
/// @param handled the client's stanzas that have been handled
/// @param acknowledged the server's stanzas that the client has acknowledged
/// @param unacknowledged those that it has not, oldest first
/// @param presence its broadcast presence; null if it is not available
/// @param catchingUp whether more waits for it in the log
/// @param sent what it has been sent of the log
/// @param resumptions the number of the client's last resumption ([SessionVersion#resumptions])
/// @param values what modules keep with it, as text
public record SavedSession(
    Jid jid,
    String id,
    Instant until,
    long handled,
    long acknowledged,
    List<Sent> unacknowledged,
    @Nullable Presence presence,
    boolean catchingUp,
    SentEntries sent,
    long resumptions,
    Map<String, String> values) {
  /// A stanza that was sent.
  ///
  /// @param time when, for the first time
  public record Sent(Stanza stanza, Instant time) {}

  /// Copies the collections.
  public SavedSession {
    unacknowledged = List.copyOf(unacknowledged);
    values = Map.copyOf(values);
  }

  /// The snapshot of a session; null if it cannot be resumed.
  ///
  /// @param unacknowledged what its client has not acknowledged, oldest first
  /// @param sent what it has been sent of the log
  /// @param until when it expires
  public static @Nullable SavedSession of(
      LocalSession session, List<KeptStanza> unacknowledged, SentEntries sent, Instant until) {
    StreamManagementState management = session.management();
    String id = management == null ? null : management.id();
    if (management == null || id == null) {
      return null;
    }
    return new SavedSession(
        session.jid(),
        id,
        until,
        management.handled().handled(),
        session.outgoing().acknowledged(),
        unacknowledged.stream()
            .map(kept -> new Sent(kept.stanza(), Instant.ofEpochMilli(kept.time())))
            .toList(),
        session.presence(),
        session.readsLog(),
        sent,
        management.resumptions(),
        session.savedValues());
  }

  /// The version of this snapshot.
  public SessionVersion version() {
    return new SessionVersion(resumptions, acknowledged + unacknowledged.size(), handled);
  }
}
