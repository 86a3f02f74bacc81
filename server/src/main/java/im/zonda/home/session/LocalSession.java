package im.zonda.home.session;

import im.zonda.home.session.SessionSnapshotCodec.Section;
import im.zonda.hook.LateDelivery;
import im.zonda.jid.Jid;
import im.zonda.link.SessionVersion;
import im.zonda.link.ToStream;
import im.zonda.link.ack.AckCount;
import im.zonda.session.Session;
import im.zonda.session.SessionKey;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A session at the home of its account. It has a link to a stream, or waits for one (XEP-0198):
/// [SessionPhase] has the picture of its life. Confined to the home's mailbox.
public final class LocalSession implements Session, Budget.Member, SentEntries.Receiver {
  private static final Logger LOG = LoggerFactory.getLogger(LocalSession.class);

  /// Acknowledged stanzas of up to this size may stay in the replica at another node, in bytes.
  private static final int LARGE_COPY = 4_096;

  private final Jid jid;
  private final Outgoing outgoing;
  private final SessionHomes homes;
  private volatile SessionPhase phase;
  private @Nullable StreamManagementState management;
  private @Nullable Presence presence;
  private Object[] values = SessionValues.none();

  /// Values of a session that was saved, as text, until somebody asks for them.
  private @Nullable Map<String, String> saved;

  private boolean catchingUp;

  /// Whether its stream is to get its state.
  private boolean stateDue;

  /// The id in the log from which on it has been available, or 0.
  private long since;

  private SentEntries sentBefore = SentEntries.NONE;

  /// The last entry of the log that it has read while catching up; 0 for none.
  private long readUpTo;

  /// Whether another node may have a replica. Confined to the home's mailbox.
  private boolean copied;

  /// How many rounds of replication it still skips. Used by one thread at a time.
  private volatile int copyPause;

  /// Whether the client has sent no stanza yet.
  private boolean awaitingFirstStanza = true;

  /// @param first [SessionPhase.Binding] or [SessionPhase.Arriving]
  /// @param budget bounds what is kept for its client
  /// @param homes ends the session when it has no room for what is sent to it, or no stream to
  ///   close
  public LocalSession(Jid jid, SessionPhase first, Budget<?> budget, SessionHomes homes) {
    this.jid = jid;
    this.phase = first;
    this.homes = homes;
    this.outgoing = new Outgoing(this, budget);
  }

  @Override
  public Jid jid() {
    return jid;
  }

  // ---- its phase

  /// The phase that it is in. Any thread may call.
  @Override
  public SessionPhase phase() {
    return phase;
  }

  /// Enters a phase: the one place that does. If the phase cannot follow the present one, nothing
  /// changes, and the session ends.
  private void enter(SessionPhase next) {
    SessionPhase before = phase;
    if (!next.canFollow(before)) {
      String from = before.getClass().getSimpleName();
      String to = next.getClass().getSimpleName();
      IllegalStateException illegal = new IllegalStateException(from + " to " + to);
      LOG.atError()
          .addKeyValue("jid", jid)
          .addKeyValue("from", from)
          .addKeyValue("to", to)
          .setCause(illegal)
          .log("session_phase_illegal");
      homes.phaseIllegal(this);
      throw illegal;
    }
    phase = next;
    before.left();
    if ((before.link() == null) != (next.link() == null)) {
      outgoing.attachmentChanged();
    }
  }

  /// The link to its stream, or to the stream that has asked to resume it; null if it has none.
  public SessionPhase.@Nullable Link link() {
    return phase.link();
  }

  /// Whether it has that link; values of an older link are ignored.
  public boolean isOn(SessionPhase.Link from) {
    return from.equals(phase.link());
  }

  @Override
  public boolean isAsleep() {
    return isDetached() || outgoing.isInactive();
  }

  /// It is bound: notifies the client.
  public void bound(SessionPhase.Link by, ToStream.Bound answer) {
    List<KeptStanza> early = phase.early();
    enter(new SessionPhase.Attached(by));
    checked(outgoing.bound(by.stream(), answer, early));
  }

  /// Another stream has asked for it, and waits. The client's count is taken at the same time; if
  /// it does not fit, nothing changes. Null if the session cannot be resumed.
  public @Nullable AckCount resuming(SessionPhase.Link by, long h) {
    AckCount count = phase.isOver() ? null : outgoing.acknowledgedOnResumption(h);
    if (count == AckCount.VALID) {
      enter(new SessionPhase.Resuming(by, phase));
      stateChanged();
    }
    return count;
  }

  /// It continues on the stream that waits: notifies the client.
  public void resumed(SessionPhase.Link by, ToStream.Resumed answer, LateDelivery late) {
    enter(new SessionPhase.Attached(by));
    checked(outgoing.resumed(by.stream(), answer, late));
    stateChanged();
  }

  /// It has no stream, and expires at `until` unless an earlier deadline stands.
  ///
  /// @param now in ms since 1970, like `until`
  public SessionPhase.Detached detached(long now, long until) {
    SessionPhase.Detached detached = new SessionPhase.Detached(now, until, phase);
    enter(detached);
    outgoing.pack();
    return detached;
  }

  /// It continues elsewhere, where its stanzas are counted.
  public void moved() {
    enter(SessionPhase.Moved.MOVED);
    outgoing.end(List.of());
    AttachedReplica copy = copy();
    if (copy != null) {
      copy.end();
    }
  }

  /// It has ended. Returns the stanzas that were not acknowledged, or not even sent.
  public List<KeptStanza> ended() {
    List<KeptStanza> early = phase.early();
    enter(SessionPhase.Ended.ENDED);
    return outgoing.end(early);
  }

  @Override
  public Progress progress() {
    List<KeptStanza> waiting = outgoing.waiting();
    Instant since = waiting.isEmpty() ? null : Instant.ofEpochMilli(waiting.getFirst().time());
    return new Progress(isDetached(), waiting.size(), since);
  }

  /// Its version, which is that of the last snapshot until a stream has been given the session.
  public SessionVersion version() {
    StreamManagementState managed = management;
    return managed == null
        ? SessionVersion.FIRST
        : new SessionVersion(managed.resumptions(), outgoing.given(), managed.handled().handled());
  }

  /// The client itself resumes it.
  ///
  /// @param number the number of the resumption ([SessionVersion#nextResumption])
  public void resumption(long number) {
    StreamManagementState managed = management;
    if (managed != null) {
      managed.resumptions(number);
      stateChanged();
    }
  }

  /// Sets whether the client is active (XEP-0352).
  public void active(boolean active) {
    checked(outgoing.active(active));
  }

  @Override
  public void close(StreamErrorCondition condition, @Nullable String text) {
    SessionPhase.Link live = link();
    if (live != null) {
      live.stream().receive(new ToStream.Close(condition, text));
    } else {
      // There is no client to notify; the session must not wait for one that may not come.
      homes.endDetached(this);
    }
  }

  // ---- what the client sends

  /// What stream management knows of it, or null.
  public @Nullable StreamManagementState management() {
    return management;
  }

  public void management(StreamManagementState managed) {
    management = managed;
    stateChanged();
  }

  /// The client has handled `h` of the stanzas that it was sent.
  public void acknowledged(long h) {
    outgoing.noteLate();
    outgoing.acknowledged(h);
    // A small rest may stay in the replica for a while.
    AttachedReplica copy = copy();
    if (copy != null && copy.queueBytes() > LARGE_COPY) {
      noteSent();
    }
  }

  /// A stanza has arrived on its managed stream.
  public void arrived(long number) {
    if (management == null) {
      throw new IllegalStateException("a number without stream management");
    }
    management.handled().arrived(number);
  }

  // ---- what it sends

  @Override
  public Outgoing outgoing() {
    return outgoing;
  }

  @Override
  public void send(Stanza stanza) {
    checked(outgoing.send(stanza, null), stanza);
  }

  @Override
  public void send(Stanza stanza, Runnable onAcknowledged) {
    checked(outgoing.send(stanza, onAcknowledged), stanza);
  }

  /// Sends a stanza that another one has caused.
  ///
  /// @param onAcknowledged null if nothing waits for the client
  /// @param since [im.zonda.module.Origin#since] of the cause
  public void send(Stanza stanza, @Nullable Runnable onAcknowledged, long since) {
    checked(outgoing.send(stanza, onAcknowledged, since), stanza);
  }

  private void checked(Outgoing.Fate fate, Stanza stanza) {
    checked(fate);
    if (fate != Outgoing.Fate.TAKEN) {
      homes.notTaken(stanza);
    }
  }

  /// Ends the session if there was no room.
  private void checked(Outgoing.Fate fate) {
    noteSent();
    outgoing.noteLate();
    if (fate == Outgoing.Fate.NO_ROOM) {
      homes.noRoom(this);
    }
  }

  private void noteSent() {
    AttachedReplica copy = copy();
    if (isDetached() || (copy != null && copy.changed(Section.QUEUE))) {
      homes.changed(this);
    }
  }

  private @Nullable AttachedReplica copy() {
    return management == null ? null : management.copy();
  }

  // ---- what is known of it

  @Override
  public @Nullable Presence presence() {
    return presence;
  }

  @Override
  public void presence(@Nullable Presence newPresence) {
    presence = newPresence;
    stateChanged();
  }

  @Override
  public <T> @Nullable T get(SessionKey<T> key) {
    T value = SessionValues.find(values, key);
    if (value == null && saved != null) {
      value = SessionValues.read(saved, key);
      if (value != null) {
        put(key, value);
      }
    }
    return value;
  }

  /// The values of modules that are saved with the session, as text.
  private Map<String, String> savedValues() {
    Map<String, String> all = saved == null ? new HashMap<>() : new HashMap<>(saved);
    SessionValues.save(values, false, all);
    return all;
  }

  /// Those saved values that depend on what the session was sent.
  public Map<String, String> sentValues() {
    Map<String, String> all = new HashMap<>(2);
    SessionValues.save(values, true, all);
    return all;
  }

  /// Takes the values of a session that was saved.
  public void restore(Map<String, String> texts) {
    saved = texts.isEmpty() ? null : new HashMap<>(texts);
  }

  @Override
  public <T> void set(SessionKey<T> key, @Nullable T value) {
    put(key, value);
    if (key.saving() != null) {
      stateChanged();
      if (key.saving().sent()) {
        noteSent();
      }
    }
  }

  private <T> void put(SessionKey<T> key, @Nullable T value) {
    if (saved != null) {
      saved.remove(key.name());
    }
    values = SessionValues.with(values, key, value);
  }

  /// A stream that may outlive this process is to get the new state.
  private void stateChanged() {
    SessionPhase.Link live = link();
    AttachedReplica copy = copy();
    if (live == null ? management != null : copy != null && copy.changed(Section.STATE)) {
      homes.changed(this);
    }
    if (live != null && !stateDue && live.stream().keepsState() && resumptionId() != null) {
      stateDue = true;
      homes.sendState(this);
    }
  }

  /// The id by which it can be resumed, hashed ([im.zonda.home.account]); null if it cannot.
  public @Nullable String resumptionId() {
    return management == null ? null : management.id();
  }

  /// Whether another node may have a replica of it.
  public boolean isCopied() {
    return copied;
  }

  public void copied(boolean now) {
    copied = now;
  }

  /// Whether it may be replicated in this round; counts the round.
  public boolean mayCopy() {
    int left = copyPause;
    copyPause = Math.max(0, left - 1);
    return left == 0;
  }

  /// Skips the next `rounds` rounds of replication.
  public void pauseCopies(int rounds) {
    copyPause = rounds;
  }

  /// Sends the state to the stream that keeps it, if it has changed.
  public void sendState() {
    if (!stateDue) {
      return;
    }
    stateDue = false;
    // A stream that has not been given the session yet gets the state once it has.
    if (phase instanceof SessionPhase.Attached(var live) && live.stream().keepsState()) {
      SessionSnapshot.State state = snapshotState();
      if (state != null) {
        KeptState kept = new KeptState(state, SentEntries.acknowledgedUpTo(this));
        live.stream().receive(new ToStream.State(kept.write()));
      }
    }
  }

  /// What changes seldom, for a snapshot; null if it cannot be resumed.
  public SessionSnapshot.@Nullable State snapshotState() {
    StreamManagementState managed = management;
    String id = resumptionId();
    return managed == null || id == null
        ? null
        : new SessionSnapshot.State(jid, id, managed.resumptions(), presence, savedValues());
  }

  @Override
  public SentEntries sentBefore() {
    return sentBefore;
  }

  /// Sets which entries it had been sent before it was recovered.
  public void sentBefore(SentEntries sent) {
    sentBefore = sent;
  }

  /// Forgets log ids above `entry`: the dead home had reserved them and committed nothing with
  /// them.
  public void sentNoneAbove(long entry) {
    sentBefore = sentBefore.cut(entry);
  }

  @Override
  public long readUpTo() {
    return readUpTo;
  }

  public void readUpTo(long id) {
    readUpTo = id;
  }

  /// Whether it is being sent entries that waited in the log.
  public boolean isCatchingUp() {
    return catchingUp;
  }

  /// Whether it reads new messages from the log instead of being sent them: it is catching up, or
  /// its client may still enable stream management and become available. A message that was sent
  /// earlier could be lost with the connection, and would overtake waiting entries.
  @Override
  public boolean readsLog() {
    return catchingUp || awaitingFirstStanza;
  }

  public boolean awaitsFirstStanza() {
    return awaitingFirstStanza;
  }

  /// Notes that its client has sent a stanza, or has had time for one.
  public void firstStanzaSeen() {
    awaitingFirstStanza = false;
  }

  public void catchingUp(boolean catching) {
    boolean ends = catchingUp && !catching;
    catchingUp = catching;
    if (ends) {
      noteSent(); // the replica is to show that it has read everything
    }
  }

  /// The id in its account's log from which on messages were sent while it was available; 0 if it
  /// has not been.
  public long since() {
    return since;
  }

  /// It is available for the first time.
  public void since(long id) {
    since = id;
  }

  @Override
  public String toString() {
    return jid.toString();
  }
}
