package im.zonda.link;

import im.zonda.jid.Jid;
import im.zonda.stanza.Stanza;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// The keeper's snapshot of a session whose home was lost because its process was killed.
///
/// @param jid its full address
/// @param state the last [ToStream.State]
/// @param id the id by which it can be resumed
/// @param counts the counts of handled and acknowledged stanzas
/// @param lastIds by the account and the rooms that have assigned them: the `stanza-id` (XEP-0359)
///   of the last message of each that the client was sent and that is not among `unacknowledged`
/// @param unacknowledged the stanzas that the client was sent and has not acknowledged, oldest
///   first
public record LostSession(
    Jid jid,
    String state,
    String id,
    Counts counts,
    Map<Jid, String> lastIds,
    List<Sent> unacknowledged) {
  /// Counts of stream management (XEP-0198).
  ///
  /// @param handled the client's stanzas that are known to be handled
  /// @param acknowledged the stanzas that the client has acknowledged
  public record Counts(long handled, long acknowledged) {}

  /// A stanza that the client was sent.
  ///
  /// @param age how long ago that was, for the first time
  public record Sent(Stanza stanza, Duration age) {}

  /// Copies the collections.
  public LostSession {
    lastIds = Map.copyOf(lastIds);
    unacknowledged = List.copyOf(unacknowledged);
  }

  /// How many stanzas the client has been sent.
  public long delivered() {
    return counts.acknowledged() + unacknowledged.size();
  }
}
