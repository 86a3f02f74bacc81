package im.zonda.router;

import im.zonda.hook.LateDelivery;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The way out of one session, whatever stream it has at the moment.
///
/// Before it is attached to a stream, and while a managed session (XEP-0198) has none, stanzas wait
/// here. Any thread may send; the lock makes the order of sending, of counting and of writing one
/// and the same. Nothing that runs under the lock may wait, or call back at once.
final class Outgoing {
  /// What became of a stanza.
  enum Fate {
    /// It is on its way, or waits here.
    TAKEN,
    /// The session is over; it was dropped.
    OVER,
    /// There was no room for it: the session must end.
    NO_ROOM
  }

  /// What it costs to keep the session.
  ///
  /// @param bytes what its stanzas take of the [Budget]
  /// @param detached since when it has no stream, in ms since 1970; [#ATTACHED] if it has one
  record Use(int bytes, long detached) {}

  /// In place of a time: the session has a stream.
  static final long ATTACHED = Long.MAX_VALUE;

  /// A message that was first sent so long before says so when it is sent again (XEP-0203), in ms.
  private static final long LATE = 5_000;

  private final Share share;
  private final InstantSource clock;
  private volatile @Nullable Outbound owner;

  // Guarded by this object's monitor.
  private boolean attached;
  private boolean inactive;
  private boolean over;
  private @Nullable List<KeptStanza> early;
  private @Nullable HeldBack held;
  private @Nullable Unacknowledged sent;
  private long detached;

  /// The way out of a new session, whose stream will be that of `owner`, or of one that was saved.
  ///
  /// @param budget bounds what is kept here
  /// @param clock tells when stanzas were sent
  Outgoing(@Nullable Outbound owner, Budget budget, InstantSource clock) {
    this.owner = owner;
    this.share = new Share(budget);
    this.clock = clock;
    this.detached = owner == null ? clock.millis() : ATTACHED;
  }

  /// The stream, attached or about to be; null if there is none.
  @Nullable Outbound owner() {
    return owner;
  }

  /// Sends, or keeps for later.
  Fate send(Stanza stanza, @Nullable Runnable left) {
    synchronized (this) {
      if (over) {
        return Fate.OVER;
      }
      if (sent == null && !attached) {
        return early(stanza, left);
      }
      if ((inactive || !attached) && left == null && HeldBack.canWait(stanza)) {
        if (held == null) {
          held = new HeldBack(share);
        }
        if (held.add(stanza, clock.millis())) {
          return Fate.TAKEN;
        }
      }
      if (held != null && !releaseHeld()) {
        return Fate.NO_ROOM;
      }
      return out(stanza, left, sent == null ? 0 : clock.millis());
    }
  }

  private Fate early(Stanza stanza, @Nullable Runnable left) {
    if (early == null) {
      early = new ArrayList<>(4);
    }
    KeptStanza kept = new KeptStanza(stanza, left, clock.millis());
    if (early.size() >= HeldBack.MAX || !share.take(kept)) {
      return Fate.NO_ROOM;
    }
    early.add(kept);
    return Fate.TAKEN;
  }

  /// @param time when the stanza is sent; of no account if the session is not managed
  private Fate out(Stanza stanza, @Nullable Runnable left, long time) {
    Outbound stream = owner;
    if (sent == null) {
      if (stream != null) {
        stream.send(stanza, left);
      }
      return Fate.TAKEN;
    }
    if (!sent.add(stanza, left, time)) {
      return Fate.NO_ROOM;
    }
    if (attached && stream != null) {
      stream.send(stanza, null);
    } else {
      sent.packLast();
    }
    return Fate.TAKEN;
  }

  private boolean releaseHeld() {
    List<KeptStanza> all = held == null ? List.of() : held.take();
    held = null;
    boolean room = true;
    for (KeptStanza kept : all) {
      room &= out(kept.stanza(), null, kept.time()) != Fate.NO_ROOM;
    }
    return room;
  }

  private boolean releaseEarly() {
    List<KeptStanza> all = early == null ? List.of() : early;
    early = null;
    all.forEach(share::give);
    boolean room = true;
    for (KeptStanza kept : all) {
      room &= out(kept.stanza(), kept.left(), kept.time()) != Fate.NO_ROOM;
    }
    return room;
  }

  /// Connects with the stream of `stream`: runs `answer`, which writes what goes before all others,
  /// then sends what has not been acknowledged and what waited. [Fate#OVER] if the stream is not
  /// the session's any more.
  ///
  /// @param late marks messages that were sent for the first time some while ago
  synchronized Fate attach(Outbound stream, LateDelivery late, Runnable answer) {
    if (!stream.equals(owner) || over) {
      return Fate.OVER;
    }
    answer.run();
    attached = true;
    inactive = false;
    if (sent != null) {
      long before = clock.millis() - LATE;
      for (KeptStanza again : sent.waiting()) {
        stream.send(again.time() <= before ? marked(again, late) : again.stanza(), null);
      }
    }
    // Counted, if the answer has made the stream a managed one (XEP-0386).
    boolean room = releaseEarly();
    return releaseHeld() && room ? Fate.TAKEN : Fate.NO_ROOM;
  }

  private static Stanza marked(KeptStanza again, LateDelivery late) {
    Stanza stanza = again.stanza();
    return stanza instanceof Message message && !message.isError()
        ? late.mark(message, Instant.ofEpochMilli(again.time()))
        : stanza;
  }

  /// Begins to count: what is sent after `answer` has run waits for the client's acknowledgement.
  synchronized boolean manage(Outbound stream, Runnable answer) {
    if (!stream.equals(owner) || over || sent != null) {
      return false;
    }
    answer.run();
    sent = new Unacknowledged(share, 0);
    return true;
  }

  /// Takes the client's count of stanzas (XEP-0198), as told on the stream of `stream`; runs what
  /// waited for it. Null if the stream is not the session's any more.
  Unacknowledged.@Nullable Answer acknowledged(Outbound stream, long h) {
    List<Runnable> then = new ArrayList<>();
    Unacknowledged.Answer answer;
    synchronized (this) {
      if (!stream.equals(owner) || sent == null) {
        return null;
      }
      answer = sent.acknowledged(h, then);
    }
    Logged.runAll(then);
    return answer;
  }

  /// The session gets another stream: from now on it is that of `stream`, to be attached later. The
  /// client's count is taken at the same time; if it does not fit, nothing changes.
  Unacknowledged.@Nullable Answer takeOver(Outbound stream, long h) {
    List<Runnable> then = new ArrayList<>();
    Unacknowledged.Answer answer;
    synchronized (this) {
      if (over || sent == null) {
        return null;
      }
      answer = sent.acknowledged(h, then);
      if (answer == Unacknowledged.Answer.TAKEN) {
        owner = stream;
        attached = false;
        detached = ATTACHED;
      }
    }
    Logged.runAll(then);
    return answer;
  }

  /// The stream of `stream` is gone. False if it was not the session's any more.
  synchronized boolean detach(Outbound stream) {
    if (!stream.equals(owner)) {
      return false;
    }
    owner = null;
    attached = false;
    detached = clock.millis();
    if (sent != null) {
      sent.pack();
    }
    return true;
  }

  /// Says whether the client is looked at (XEP-0352); if it is, what was held goes out now.
  synchronized Fate active(Outbound stream, boolean active) {
    if (!stream.equals(owner) || over) {
      return Fate.OVER;
    }
    inactive = !active;
    return active && !releaseHeld() ? Fate.NO_ROOM : Fate.TAKEN;
  }

  /// What the client would have to get after a new start of the server; [#acknowledged] counts from
  /// there. Null if there is no room for all of it, so that the session cannot go on.
  synchronized @Nullable List<KeptStanza> unsettled() {
    if (sent == null || over) {
      return List.of();
    }
    return releaseHeld() ? List.copyOf(sent.waiting()) : null;
  }

  /// The entries of the log that the client has been sent and has not acknowledged.
  synchronized List<Logged> onTheWay() {
    if (sent == null || sent.size() == 0) {
      return List.of();
    }
    List<Logged> entries = new ArrayList<>();
    for (KeptStanza waiting : sent.waiting()) {
      if (waiting.left() instanceof Logged logged) {
        entries.add(logged);
      }
    }
    return entries;
  }

  /// Stanzas that the client has acknowledged.
  synchronized long acknowledged() {
    return sent == null ? 0 : sent.acknowledged();
  }

  /// Makes it the way out of a managed session that was saved after the client had acknowledged so
  /// many stanzas; what it had not is to be added by [#addSaved].
  synchronized void restore(long acknowledged) {
    sent = new Unacknowledged(share, acknowledged);
  }

  /// Adds a stanza as it was saved; false if there is no room for it.
  ///
  /// @param time when it was sent for the first time, in ms since 1970
  synchronized boolean addSaved(Stanza stanza, @Nullable Runnable left, long time) {
    return sent != null && out(stanza, left, time) == Fate.TAKEN;
  }

  /// The session is over: nothing is taken any more. Returns what was not acknowledged, or not even
  /// written.
  synchronized List<KeptStanza> end() {
    over = true;
    if (held != null) {
      held.take();
      held = null;
    }
    List<KeptStanza> rest = new ArrayList<>(sent == null ? List.of() : sent.drain());
    if (early != null) {
      early.forEach(share::give);
      rest.addAll(early);
      early = null;
    }
    return rest;
  }

  /// What it costs to keep the session now.
  synchronized Use use() {
    return new Use(share.bytes(), detached);
  }

  /// The stanzas that wait for the client's acknowledgement; 0 if the session is not managed.
  synchronized int unacknowledged() {
    return sent == null ? 0 : sent.size();
  }

  /// How many stanzas were sent since the session is managed.
  synchronized long sent() {
    return sent == null ? 0 : sent.sent();
  }
}
