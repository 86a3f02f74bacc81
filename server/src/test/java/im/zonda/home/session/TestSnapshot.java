package im.zonda.home.session;

import im.zonda.home.session.SessionSnapshot.Certainty;
import im.zonda.home.session.SessionSnapshot.LogPosition;
import im.zonda.home.session.SessionSnapshot.Received;
import im.zonda.home.session.SessionSnapshot.Sent;
import im.zonda.home.session.SessionSnapshot.SentStanza;
import im.zonda.home.session.SessionSnapshot.State;
import im.zonda.jid.Jid;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Snapshots for tests: empty except for what a test sets.
public final class TestSnapshot {
  private final Jid jid;
  private final String id;
  private final Instant until;
  private long resumptions;
  private long handled;
  private long acknowledged;
  private List<SentStanza> sent = List.of();
  private @Nullable Presence presence;
  private Map<String, String> values = Map.of();
  private LogPosition log = new LogPosition(false, SentEntries.NONE);

  private TestSnapshot(Jid jid, String id, Instant until) {
    this.jid = jid;
    this.id = id;
    this.until = until;
  }

  /// A builder of the snapshot of a session without stanzas.
  ///
  /// @param id hashed
  /// @param until when the session expires
  public static TestSnapshot of(Jid jid, String id, Instant until) {
    return new TestSnapshot(jid, id, until);
  }

  public TestSnapshot resumptions(long number) {
    resumptions = number;
    return this;
  }

  public TestSnapshot handled(long count) {
    handled = count;
    return this;
  }

  public TestSnapshot acknowledged(long count) {
    acknowledged = count;
    return this;
  }

  /// What the client has not acknowledged, sent at that time.
  public TestSnapshot sent(Instant time, Collection<? extends Stanza> stanzas) {
    return sent(stanzas.stream().map(each -> new SentStanza(each, time)).toList());
  }

  public TestSnapshot sent(List<SentStanza> unacknowledged) {
    sent = unacknowledged;
    return this;
  }

  public TestSnapshot presence(@Nullable Presence broadcast) {
    presence = broadcast;
    return this;
  }

  public TestSnapshot values(Map<String, String> texts) {
    values = texts;
    return this;
  }

  /// A session for which more waits in the log.
  public TestSnapshot catchingUp(SentEntries entries) {
    log = new LogPosition(true, entries);
    return this;
  }

  /// The snapshot of a restart file.
  public SessionSnapshot saved() {
    return snapshot(Received.settled(handled), Certainty.COMPLETE);
  }

  /// A replica that lacks nothing.
  public SessionSnapshot replica() {
    return replica(Certainty.COMPLETE);
  }

  public SessionSnapshot replica(Certainty certainty) {
    return snapshot(Received.replicated(handled), certainty);
  }

  /// A session that moves while stanzas of its client are in progress.
  public SessionSnapshot moving(long arrived, Collection<Long> pending, Certainty certainty) {
    return snapshot(new Received(handled, arrived, new TreeSet<>(pending)), certainty);
  }

  private SessionSnapshot snapshot(Received received, Certainty certainty) {
    return new SessionSnapshot(
        new State(jid, id, resumptions, presence, values),
        until,
        new Sent(acknowledged, sent),
        log,
        received,
        certainty);
  }
}
