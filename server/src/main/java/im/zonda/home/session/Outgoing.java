package im.zonda.home.session;

import im.zonda.home.SlowReceivers;
import im.zonda.hook.LateDelivery;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToStream;
import im.zonda.link.ack.AckCount;
import im.zonda.link.ack.AckQueue;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Outbound side of a session, independent of the stream that it has at the moment.
///
/// While a managed session (XEP-0198) has no stream, stanzas wait here. So does, on a stream
/// without stream management, what is to be done when the bytes of a stanza have left. Where a
/// stanza goes depends on the [SessionPhase] of the session, which calls [#bound], [#resumed] and
/// [#end] in the new phase. Confined to the home's mailbox; only [#bytes] may be called by any
/// thread.
public final class Outgoing {
  /// What became of a stanza.
  enum Fate {
    /// It is on its way, or waits here.
    TAKEN,
    /// The session has ended; the stanza was discarded.
    OVER,
    /// There was no room for it: the session must end.
    NO_ROOM
  }

  /// A message that is sent again gets a delay (XEP-0203) if it was first sent this long ago, in
  /// ms.
  private static final long LATE = 5_000;

  private final Budget.Member session;
  private final Share share;

  /// The client's, which lasts until another stream is given the session (XEP-0352).
  private boolean inactive;

  /// Whether a stanza was not accepted.
  private boolean dropped;

  private @Nullable HeldBack held;

  /// What the client has not acknowledged, bounded in stanzas, and by [#share] in bytes; null if
  /// the session is not managed.
  private @Nullable AckQueue<KeptStanza> sent;

  /// On a stream without stream management; null until something waits.
  private @Nullable Unwritten unwritten;

  private long lastEntry;

  /// Null unless [#rememberAcknowledged] was called.
  private @Nullable AcknowledgedEntries acknowledgedEntries;

  /// The number of the last stanza that a stream was given or may have been given.
  private long given;

  /// Whether streams may have been given stanzas that this queue lacks.
  private boolean lagging;

  /// @param budget bounds what is kept here
  Outgoing(Budget.Member session, Budget<?> budget) {
    this.session = session;
    this.share = new Share(budget);
  }

  /// Its session has lost its stream, or has got one.
  void attachmentChanged() {
    share.attachmentChanged(session);
  }

  /// The stream that the session has; null if it has none, or none has been given it yet.
  private @Nullable StreamEnd stream() {
    return session.phase() instanceof SessionPhase.Attached(var link) ? link.stream() : null;
  }

  /// Sends, or keeps for later.
  public Fate send(Stanza stanza, @Nullable Runnable onAcknowledged) {
    return send(stanza, onAcknowledged, 0);
  }

  /// The same.
  ///
  /// @param since [im.zonda.module.Origin#since] of what has caused the stanza
  public Fate send(Stanza stanza, @Nullable Runnable onAcknowledged, long since) {
    Fate fate = take(stanza, onAcknowledged, since);
    dropped |= fate != Fate.TAKEN;
    return fate;
  }

  private Fate take(Stanza stanza, @Nullable Runnable onAcknowledged, long since) {
    StreamEnd to = stream();
    if (to == null && session.phase().isOver()) {
      return Fate.OVER;
    }
    if (to == null && session.phase() instanceof SessionPhase.Binding binding) {
      return early(binding.early(), stanza, onAcknowledged);
    }
    if ((inactive || to == null) && onAcknowledged == null && HeldBack.canWait(stanza)) {
      if (held == null) {
        held = new HeldBack(share);
      }
      if (held.add(stanza, share.now())) {
        return Fate.TAKEN;
      }
    }
    if (held != null && !releaseHeld(to)) {
      return Fate.NO_ROOM;
    }
    return out(to, stanza, onAcknowledged, sent == null ? 0 : share.now(), since);
  }

  private Fate early(List<KeptStanza> waiting, Stanza stanza, @Nullable Runnable onAcknowledged) {
    KeptStanza kept = new KeptStanza(stanza, onAcknowledged, share.now());
    if (waiting.size() >= HeldBack.MAX || !share.take(kept)) {
      return Fate.NO_ROOM;
    }
    waiting.add(kept);
    return Fate.TAKEN;
  }

  /// @param time when the stanza is sent; ignored if the session is not managed
  private Fate out(
      @Nullable StreamEnd to,
      Stanza stanza,
      @Nullable Runnable onAcknowledged,
      long time,
      long since) {
    if (onAcknowledged instanceof LogAction logged) {
      lastEntry = Math.max(lastEntry, logged.id());
    }
    if (sent == null) {
      if (to != null) {
        boolean report = onAcknowledged != null;
        to.receive(new ToStream.Deliver(stanza, report(onAcknowledged), report, since));
      }
      return Fate.TAKEN;
    }
    if (sent.size() >= share.stanzas()) {
      return Fate.NO_ROOM;
    }
    KeptStanza kept = new KeptStanza(stanza, onAcknowledged, time);
    if (!share.take(kept)) {
      return Fate.NO_ROOM;
    }
    sent.add(kept);
    if (to != null) {
      given = sent.sent();
      to.receive(new ToStream.Deliver(stanza, given, false, since));
    } else {
      kept.pack(); // it may wait for long
    }
    return Fate.TAKEN;
  }

  private long report(@Nullable Runnable onAcknowledged) {
    if (unwritten == null) {
      if (onAcknowledged == null) {
        return 0;
      }
      unwritten = new Unwritten();
    }
    return unwritten.add(onAcknowledged);
  }

  private boolean releaseHeld(@Nullable StreamEnd to) {
    List<KeptStanza> all = held == null ? List.of() : held.take();
    held = null;
    return outAll(to, all);
  }

  private boolean outAll(@Nullable StreamEnd to, List<KeptStanza> all) {
    boolean room = true;
    for (KeptStanza kept : all) {
      room &= out(to, kept.stanza(), kept.onAcknowledged(), kept.time(), 0) != Fate.NO_ROOM;
    }
    return room;
  }

  /// Sends `answer`, the client's first news of its session, and then the stanzas that waited for
  /// it.
  Fate bound(StreamEnd to, ToStream.Bound answer, List<KeptStanza> early) {
    early.forEach(share::give);
    to.receive(answer);
    return outAll(to, early) ? Fate.TAKEN : Fate.NO_ROOM;
  }

  /// Enables stream management: stanzas from now on wait for the client's acknowledgement. False if
  /// it is enabled already.
  public boolean manage() {
    if (session.phase().isOver() || sent != null) {
      return false;
    }
    sent = new AckQueue<>(0);
    return true;
  }

  /// The session continues on this stream: sends `answer`, then the stanzas that the client has not
  /// acknowledged, then those that were held back.
  ///
  /// @param late marks messages that were first sent some while ago
  Fate resumed(StreamEnd to, ToStream.Resumed answer, LateDelivery late) {
    if (sent == null) {
      return Fate.OVER;
    }
    inactive = false;
    lagging = false;
    given = sent.sent();
    to.receive(answer);
    long before = share.now() - LATE;
    long number = sent.acknowledged();
    for (KeptStanza again : sent) {
      Stanza stanza = again.time() <= before ? marked(again, late) : again.stanza();
      to.receive(new ToStream.Deliver(stanza, ++number, false));
    }
    return releaseHeld(to) ? Fate.TAKEN : Fate.NO_ROOM;
  }

  private static Stanza marked(KeptStanza again, LateDelivery late) {
    Stanza stanza = again.stanza();
    return stanza instanceof Message message && !message.isError()
        ? late.mark(message, Instant.ofEpochMilli(again.time()))
        : stanza;
  }

  /// Notes that the session is late if its client should have acknowledged long ago what it was
  /// sent.
  void noteLate() {
    KeptStanza oldest = sent == null ? null : sent.oldest();
    if (sent != null && oldest != null && stream() != null) {
      long age = share.now() - oldest.time();
      if (age > SlowReceivers.LATE) {
        share.late(session.jid(), age, sent.size());
      }
    }
  }

  /// Handles the client's count of stanzas (XEP-0198), which may be modulo 2 to the power of 32,
  /// and runs the actions that waited for it. Null if the session is not managed.
  public @Nullable AckCount acknowledged(long h) {
    if (sent == null) {
      return null;
    }
    AckCount count = AckCount.of(h, sent.acknowledged(), sent.sent());
    if (count == AckCount.VALID) {
      LogAction.runAll(takeAcknowledged(sent, AckCount.number(h, sent.acknowledged())));
    }
    return count;
  }

  private List<Runnable> takeAcknowledged(AckQueue<KeptStanza> from, long upTo) {
    List<Runnable> then = new ArrayList<>();
    for (KeptStanza kept = from.poll(upTo); kept != null; kept = from.poll(upTo)) {
      share.give(kept);
      Runnable onAcknowledged = kept.onAcknowledged();
      if (onAcknowledged != null) {
        then.add(onAcknowledged);
      }
      if (onAcknowledged instanceof LogAction logged && acknowledgedEntries != null) {
        acknowledgedEntries.add(logged.id(), share.now());
      }
    }
    return then;
  }

  /// The bytes of the stanzas up to that number have left, on a stream without stream management:
  /// runs the actions that waited for it. Also after the end of the session.
  public void written(long number) {
    if (unwritten != null) {
      LogAction.runAll(unwritten.written(number));
    }
  }

  /// Handles the count of a client that resumes the session on another stream, which cannot be
  /// higher than what a stream was given. Null if the session cannot be resumed.
  @Nullable AckCount acknowledgedOnResumption(long h) {
    return sent != null && AckCount.of(h, sent.acknowledged(), given) == AckCount.TOO_HIGH
        ? AckCount.TOO_HIGH
        : acknowledged(h);
  }

  /// This queue was recovered from a snapshot that may lag. Numbers above `number` may already name
  /// other stanzas at the client, so acknowledgements above it are rejected.
  public void replicatedUpTo(long number) {
    given = number;
    lagging = true;
  }

  /// The highest number up to which this queue is certain; empty if it is complete.
  public OptionalLong replicatedUpTo() {
    return lagging ? OptionalLong.of(given) : OptionalLong.empty();
  }

  /// The number of the last stanza that a stream was given, here or where the session was before;
  /// the client has no higher one. Stanzas that wait for a stream may have higher numbers.
  public long given() {
    return given;
  }

  /// The stream is gone: what waits may wait for long.
  void pack() {
    if (sent != null) {
      sent.forEach(KeptStanza::pack);
    }
  }

  /// Sets whether the client is active (XEP-0352); if it is, sends the stanzas that were held back.
  Fate active(boolean active) {
    StreamEnd to = stream();
    inactive = !active;
    return active && to != null && !releaseHeld(to) ? Fate.NO_ROOM : Fate.TAKEN;
  }

  /// Whether the client is inactive (XEP-0352).
  boolean isInactive() {
    return inactive;
  }

  /// The stanzas that the client must get after a restart of the server, the first of which has the
  /// number after [#acknowledged]. Null if there is no room for all of them, so that the session
  /// must end.
  public @Nullable List<KeptStanza> unsettled() {
    if (sent == null || session.phase().isOver()) {
      return List.of();
    }
    return releaseHeld(stream()) ? sent.list() : null;
  }

  /// The same without a change of this queue, for a replica. Presence for which there is no room is
  /// left out.
  public List<KeptStanza> waiting() {
    List<KeptStanza> all = new ArrayList<>(sent == null ? List.of() : sent.list());
    for (KeptStanza each : held == null ? List.<KeptStanza>of() : held.waiting()) {
      if (all.size() < share.stanzas()) {
        all.add(each);
      }
    }
    return all;
  }

  /// The last entry of the log that was sent; 0 if there was none.
  public long lastEntry() {
    return lastEntry;
  }

  /// The entries of the log that the client has been sent and that are not known to have reached
  /// it: it has not acknowledged them or, without stream management, their bytes have not left.
  public List<LogAction> onTheWay() {
    int unacknowledged = unacknowledged();
    if (unacknowledged == 0 && unwritten == null) {
      return List.of();
    }
    List<LogAction> entries = new ArrayList<>(unacknowledged);
    for (Runnable onAcknowledged : unwritten == null ? List.<Runnable>of() : unwritten.waiting()) {
      if (onAcknowledged instanceof LogAction logged) {
        entries.add(logged);
      }
    }
    for (KeptStanza waiting : sent == null ? List.<KeptStanza>of() : sent) {
      if (waiting.onAcknowledged() instanceof LogAction logged) {
        entries.add(logged);
      }
    }
    return entries;
  }

  /// Starts to remember which entries of the log the client acknowledges.
  public void rememberAcknowledged() {
    acknowledgedEntries = new AcknowledgedEntries();
  }

  /// The entries of the log that the client has acknowledged lately, so that the log may not know
  /// yet; none if they are not remembered.
  Set<Long> acknowledgedLately() {
    return acknowledgedEntries == null ? Set.of() : acknowledgedEntries.at(share.now());
  }

  /// Stanzas that the client has acknowledged.
  public long acknowledged() {
    return sent == null ? 0 : sent.acknowledged();
  }

  /// Restores the queue of a managed session whose client had acknowledged `acknowledged` stanzas;
  /// the others are to be added by [#addSaved].
  public void restore(long acknowledged) {
    sent = new AckQueue<>(acknowledged);
    given = acknowledged;
  }

  /// Adds a stanza as it was saved; false if there is no room for it.
  ///
  /// @param time when it was sent for the first time, in ms since 1970
  public boolean addSaved(Stanza stanza, @Nullable Runnable onAcknowledged, long time) {
    boolean room = sent != null && out(null, stanza, onAcknowledged, time, 0) == Fate.TAKEN;
    given = sent();
    return room;
  }

  /// The session has ended or moved. Returns the stanzas that were not acknowledged, or not even
  /// sent.
  ///
  /// @param early those that waited for the answer to the bind
  List<KeptStanza> end(List<KeptStanza> early) {
    if (held != null) {
      held.take();
      held = null;
    }
    List<KeptStanza> rest = sent == null ? new ArrayList<>() : sent.drain();
    rest.addAll(early);
    rest.forEach(share::give);
    return rest;
  }

  /// Whether all bytes that an action waits for have left, on a stream without stream management,
  /// and no stanza was discarded: then an ended session leaves in the log only what [#end] returns.
  public boolean isSettled() {
    return !dropped && (unwritten == null || unwritten.isEmpty());
  }

  /// What the stanzas take of the [Budget] now. Any thread may call.
  public int bytes() {
    return share.bytes();
  }

  /// The stanzas that wait for the client's acknowledgement; 0 if the session is not managed.
  public int unacknowledged() {
    return sent == null ? 0 : sent.size();
  }

  /// How many stanzas were sent since stream management was enabled.
  public long sent() {
    return sent == null ? 0 : sent.sent();
  }
}
