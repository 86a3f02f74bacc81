package im.zonda.home.lifecycle;

import im.zonda.home.session.KeptState;
import im.zonda.home.session.SentEntries;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.jid.Jid;
import im.zonda.link.LostSession;
import im.zonda.stanza.Presence;
import im.zonda.store.StanzaIds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The snapshot that the keeper of a stream has of its session ([LostSession]), as the home of the
/// session restores it.
///
/// @param lastIds see [SessionListener.Snapshot]
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
    Jid account = lost.jid().bare();
    Map<Jid, String> lastIds = new HashMap<>(lost.lastIds());
    String acknowledged = lastIds.remove(account);
    long last = acknowledged == null ? 0 : stanzaIds.decode(acknowledged).orElse(0);
    last = Math.max(last, kept.readUpTo());
    List<SessionSnapshot.SentStanza> unacknowledged = new ArrayList<>();
    for (LostSession.Sent sent : lost.unacknowledged()) {
      unacknowledged.add(new SessionSnapshot.SentStanza(sent.stanza(), now.minus(sent.age())));
      last = Math.max(last, RestoredSessions.logId(stanzaIds, account, sent.stanza()));
    }
    Presence presence = kept.state().presence();
    boolean readsLog = presence != null && presence.priority() >= 0;
    SessionSnapshot snapshot =
        new SessionSnapshot(
            kept.state(),
            now.plus(time),
            new SessionSnapshot.Sent(lost.counts().acknowledged(), unacknowledged),
            new SessionSnapshot.LogPosition(false, SentEntries.upTo(readsLog ? last : 0)),
            SessionSnapshot.Received.replicated(lost.counts().handled()),
            SessionSnapshot.Certainty.COMPLETE);
    return new KeeperSnapshot(snapshot, lastIds);
  }
}
