package im.zonda.home.lifecycle;

import im.zonda.home.session.KeptState;
import im.zonda.home.session.SentEntries;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.hook.SessionListener;
import im.zonda.jid.Jid;
import im.zonda.link.LostSession;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.store.StanzaIds;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The snapshot that the keeper of a stream has of its session ([LostSession]), as the home of the
/// session restores it.
///
/// @param lastIds see [SessionListener#recovered]
record KeeperSnapshot(SessionSnapshot snapshot, Map<Jid, String> lastIds) {
  /// Reads the keeper's snapshot; null if its state cannot be read.
  ///
  /// @param now when the session's time to be resumed begins
  /// @param time how long that is
  static @Nullable KeeperSnapshot of(
      LostSession lost, StanzaIds stanzaIds, Instant now, Duration time) {
    KeptState kept = KeptState.read(lost.state());
    if (kept == null || !kept.state().jid().equals(lost.jid())) {
      return null;
    }
    List<SessionSnapshot.SentStanza> unacknowledged =
        lost.unacknowledged().stream()
            .map(each -> new SessionSnapshot.SentStanza(each.stanza(), now.minus(each.age())))
            .toList();
    Presence presence = kept.state().presence();
    boolean readsLog = presence != null && presence.priority() >= 0;
    long last = Math.max(readUpTo(lost, stanzaIds), kept.readUpTo());
    SessionSnapshot snapshot =
        new SessionSnapshot(
            kept.state(),
            now.plus(time),
            new SessionSnapshot.Sent(lost.counts().acknowledged(), unacknowledged),
            new SessionSnapshot.LogPosition(false, SentEntries.upTo(readsLog ? last : 0)),
            SessionSnapshot.Received.replicated(lost.counts().handled()),
            SessionSnapshot.Certainty.COMPLETE);
    return new KeeperSnapshot(snapshot, roomIds(lost));
  }

  /// The last entry of the log that the session had been sent; 0 if there was none.
  private static long readUpTo(LostSession lost, StanzaIds stanzaIds) {
    Jid account = lost.jid().bare();
    String acknowledged = lost.lastIds().get(account);
    long last = acknowledged == null ? 0 : stanzaIds.decode(acknowledged).orElse(0);
    for (LostSession.Sent sent : lost.unacknowledged()) {
      last = Math.max(last, SessionSaving.logId(stanzaIds, account, sent.stanza()));
    }
    return last;
  }

  /// The last ids that the client was sent by each room.
  private static Map<Jid, String> roomIds(LostSession lost) {
    Map<Jid, String> ids = new HashMap<>(lost.lastIds());
    ids.remove(lost.jid().bare());
    for (LostSession.Sent sent : lost.unacknowledged()) {
      Jid from = sent.stanza().from();
      if (from != null
          && sent.stanza() instanceof Message message
          && message.type() == Message.Type.GROUPCHAT) {
        String id = StanzaIds.assigned(message, from.bare());
        if (id != null) {
          ids.put(from.bare(), id);
        }
      }
    }
    return ids;
  }
}
