package im.zonda.home.session;

import im.zonda.link.ack.HandledCount;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Takes snapshots of sessions, in the mailboxes of their homes.
///
/// @param resumeTime how long a session without a stream can be resumed
public record SessionSnapshots(InstantSource clock, Duration resumeTime) {
  /// When a session expires whose stream is lost now.
  public Instant until() {
    return clock.instant().plus(resumeTime);
  }

  /// The snapshot of a session whose next home continues it; null if it cannot be resumed.
  ///
  /// @param sent what it has been sent of the log
  public @Nullable SessionSnapshot whole(LocalSession session, SentEntries sent) {
    List<KeptStanza> unacknowledged = session.outgoing().unsettled();
    return unacknowledged == null
        ? null
        : snapshot(session, unacknowledged, sent, SessionSnapshot.Received::of);
  }

  /// The snapshot of a session without a stream for its replica; null if it cannot be resumed.
  /// Stanzas in progress are not replicated: the client sends them again. Messages that the session
  /// is sent later are read from the log.
  public @Nullable SessionSnapshot replica(LocalSession session) {
    return snapshot(
        session,
        session.outgoing().waiting(),
        SentEntries.ofCopy(session),
        count -> SessionSnapshot.Received.replicated(count.handled()));
  }

  private @Nullable SessionSnapshot snapshot(
      LocalSession session,
      List<KeptStanza> unacknowledged,
      SentEntries sent,
      Function<HandledCount, SessionSnapshot.Received> received) {
    SessionSnapshot.State state = session.snapshotState();
    StreamManagementState management = session.management();
    return state == null || management == null
        ? null
        : new SessionSnapshot(
            state,
            until(),
            SessionSnapshot.Sent.of(session.outgoing().acknowledged(), unacknowledged),
            new SessionSnapshot.LogPosition(session.readsLog(), sent),
            received.apply(management.handled()),
            new SessionSnapshot.Certainty(
                session.outgoing().replicatedUpTo(), management.possiblyHandledSince()));
  }
}
