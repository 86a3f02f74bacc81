package im.zonda.router;

import im.zonda.stanza.Stanza;
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

  private record Early(Stanza stanza, @Nullable Runnable left) {}

  private volatile @Nullable Outbound owner;

  // Guarded by this object's monitor.
  private boolean attached;
  private boolean inactive;
  private boolean over;
  private @Nullable List<Early> early;
  private @Nullable HeldBack held;
  private @Nullable Unacknowledged sent;

  /// The way out of a new session, whose stream will be that of `owner`.
  Outgoing(@Nullable Outbound owner) {
    this.owner = owner;
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
          held = new HeldBack();
        }
        if (held.add(stanza)) {
          return Fate.TAKEN;
        }
      }
      if (held != null && !releaseHeld()) {
        return Fate.NO_ROOM;
      }
      return out(stanza, left);
    }
  }

  private Fate early(Stanza stanza, @Nullable Runnable left) {
    if (early == null) {
      early = new ArrayList<>(4);
    }
    if (early.size() >= HeldBack.MAX) {
      return Fate.NO_ROOM;
    }
    early.add(new Early(stanza, left));
    return Fate.TAKEN;
  }

  private Fate out(Stanza stanza, @Nullable Runnable left) {
    Outbound stream = owner;
    if (sent == null) {
      if (stream != null) {
        stream.send(stanza, left);
      }
      return Fate.TAKEN;
    }
    if (!sent.add(stanza, left)) {
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
    List<Stanza> all = held == null ? List.of() : held.take();
    held = null;
    boolean room = true;
    for (Stanza stanza : all) {
      room &= out(stanza, null) != Fate.NO_ROOM;
    }
    return room;
  }

  /// Connects with the stream of `stream`: runs `answer`, which writes what goes before all others,
  /// then sends what has not been acknowledged and what waited. [Fate#OVER] if the stream is not
  /// the session's any more.
  synchronized Fate attach(Outbound stream, Runnable answer) {
    if (!stream.equals(owner) || over) {
      return Fate.OVER;
    }
    answer.run();
    attached = true;
    inactive = false;
    if (sent != null) {
      for (Unacknowledged.Sent again : sent.waiting()) {
        stream.send(again.stanza(), null);
      }
    }
    boolean room = true;
    if (early != null) {
      // Counted, if the answer has made the stream a managed one (XEP-0386).
      for (Early first : early) {
        room &= out(first.stanza(), first.left()) != Fate.NO_ROOM;
      }
      early = null;
    }
    return releaseHeld() && room ? Fate.TAKEN : Fate.NO_ROOM;
  }

  /// Begins to count: what is sent after `answer` has run waits for the client's acknowledgement.
  synchronized boolean manage(Outbound stream, Unacknowledged queue, Runnable answer) {
    if (!stream.equals(owner) || over || sent != null) {
      return false;
    }
    answer.run();
    sent = queue;
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
  /// there. Empty if the session is not managed.
  synchronized List<Stanza> unsettled() {
    if (sent == null || over || (held != null && !releaseHeld())) {
      return List.of();
    }
    return sent.waiting().stream().map(Unacknowledged.Sent::stanza).toList();
  }

  /// The entries of the log that the client has been sent and has not acknowledged.
  synchronized List<Logged> onTheWay() {
    if (sent == null || sent.size() == 0) {
      return List.of();
    }
    List<Logged> entries = new ArrayList<>();
    for (Unacknowledged.Sent waiting : sent.waiting()) {
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

  /// Makes it the way out of a session that was saved.
  synchronized void restore(Unacknowledged queue) {
    queue.pack();
    sent = queue;
  }

  /// The session is over: nothing is taken any more. Returns what was not acknowledged, or not even
  /// written.
  synchronized List<Unacknowledged.Sent> end() {
    over = true;
    held = null;
    List<Unacknowledged.Sent> rest = new ArrayList<>(sent == null ? List.of() : sent.drain());
    for (Early waiting : early == null ? List.<Early>of() : early) {
      rest.add(new Unacknowledged.Sent(waiting.stanza(), waiting.left(), 0));
    }
    early = null;
    return rest;
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
