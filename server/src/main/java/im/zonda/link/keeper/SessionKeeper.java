package im.zonda.link.keeper;

import im.zonda.jid.Jid;
import im.zonda.link.LostSession;
import im.zonda.link.SessionEnd;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.stanza.StreamErrorCondition;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The link of a client's stream to its session, over all wires. If the session can be resumed
/// (XEP-0198), the stream outlives a wire: the client is not read from until there is another wire,
/// on which the keeper resumes the session. Other streams end with `system-shutdown`. A bind or a
/// resumption of the client that has no answer is requested again.
///
/// The client's stanzas are kept until the session has handled them, and sent again after a
/// resumption; repeated stanzas of the session that the client was sent before are discarded. The
/// keeper also stores a snapshot of the session, with the stanzas that the client has not
/// acknowledged: if the home was killed, the session is recovered from it.
///
/// Any thread may call. Nothing is sent to the session under the keeper's lock, because the home
/// may run on the caller's thread.
public final class SessionKeeper implements SessionEnd {
  private static final Logger LOG = LoggerFactory.getLogger(SessionKeeper.class);

  private static final ToSession LOST = new ToSession.Lost();
  private static final ToSession ENDED = new ToSession.Ended();

  /// How long to wait before the session is asked for again, in ms.
  private static final long AGAIN_MILLIS = 1_000;

  private record Due(SessionWire wire, ToSession value) {}

  private final KeeperSettings shared;
  private final Supplier<@Nullable SessionWire> wires;

  /// Whether the stream has lost its wire, for [#tick].
  private volatile boolean detached;

  // ---- all guarded by this

  private final KeptStream stream = new KeptStream();
  private @Nullable SessionWire wire;
  private KeeperPhase phase = KeeperPhase.NONE;
  private @Nullable StreamSideSession session;

  /// The client's request that has no answer yet.
  private @Nullable ToSession asked;

  /// Whether the process of the home was killed since the session was on a wire.
  private boolean killed;

  /// Whether the home has been asked to recover the session.
  private boolean recovering;

  private long since;
  private long askedAt;

  /// Whether the stream has ended; nothing is kept then.
  private boolean over;

  /// Values to be sent to the session, in order.
  private final Deque<Due> due = new ArrayDeque<>(0);

  private boolean sending;

  /// @param wires gives the wire to where the session's home is now; null while there is none, then
  ///   [#update] is to be called when there is. Called under the keeper's lock: must not call out
  public SessionKeeper(KeeperSettings shared, Supplier<@Nullable SessionWire> wires) {
    this.shared = shared;
    this.wires = wires;
  }

  /// Gives the keeper its stream; to be called once. Other calls wait until `opened` has returned.
  public synchronized void stream(Supplier<StreamEnd> opened) {
    stream.open(opened.get());
  }

  /// The stream has a session already.
  ///
  /// @param id by which it can be resumed; null if it cannot
  public synchronized void begin(ToStream answer, @Nullable String id, SessionWire on) {
    wire = on;
    phase = KeeperPhase.ATTACHED;
    session =
        switch (answer) {
          case ToStream.Bound bound -> StreamSideSession.bound(bound, shared.kept());
          case ToStream.Resumed resumed when id != null ->
              StreamSideSession.resumed(resumed, id, 0, shared.kept());
          default -> throw new IllegalStateException("no session: " + answer);
        };
  }

  /// The full address of the session, once the stream has one.
  public synchronized Jid jid() {
    return Objects.requireNonNull(session).jid();
  }

  // ---- from the stream

  @Override
  public void receive(ToSession value) {
    SessionWire direct = null;
    synchronized (this) {
      if (value instanceof ToSession.Bind
          || value instanceof ToSession.Resume
          || value instanceof ToSession.Recover) {
        asked = value;
        phase = KeeperPhase.WAITING;
        since = shared.clock().getAsLong();
        detached = true;
        ask();
      } else {
        direct = fromStream(value);
      }
    }
    if (direct != null) {
      send(direct, value);
    }
    flush();
  }

  /// Sends a value, without the lock. Nothing else is sent until [#sending] is false again.
  private void send(SessionWire to, ToSession value) {
    try {
      to.send(value);
    } finally {
      synchronized (this) {
        sending = false;
      }
    }
  }

  /// Returns the wire to send the value on at once, which the caller does; null if it waits.
  private @Nullable SessionWire fromStream(ToSession value) {
    StreamSideSession kept = session;
    boolean again = false;
    if (kept != null && !over) {
      again = kept.note(value);
      if (again) {
        stream.pauseIfTooMuch(kept);
      }
    }
    if (value instanceof ToSession.Lost || value instanceof ToSession.Ended) {
      clear();
    }
    SessionWire to = wire;
    if (to == null || (phase != KeeperPhase.ATTACHED && !over)) {
      if (kept != null && !again && !over) {
        kept.keepForLater(value);
      }
      return null;
    }
    if (value instanceof ToSession.Acknowledged && kept != null && !kept.mayAcknowledge()) {
      return null;
    }
    if (due.isEmpty() && !sending) {
      sending = true;
      return to;
    }
    due.add(new Due(to, value));
    return null;
  }

  @Override
  public synchronized void outputEnded() {
    clear();
  }

  private void clear() {
    over = true;
    detached = false;
    if (session != null) {
      session.clear();
    }
  }

  /// Whether [#flush] has work, and no thread does it.
  private boolean isToFlush() {
    return !sending && (!due.isEmpty() || (stream.isPaused() && phase == KeeperPhase.ATTACHED));
  }

  /// Sends the due values in order, by one thread at a time. After a resumption the client is read
  /// from when all have been sent.
  private void flush() {
    while (true) {
      Due next;
      synchronized (this) {
        if (!isToFlush()) {
          return;
        }
        if (due.isEmpty()) {
          stream.pause(false);
          return;
        }
        sending = true;
        next = due.remove();
      }
      send(next.wire(), next.value());
    }
  }

  // ---- from the session

  /// Handles a value that has arrived on that wire.
  public void receive(ToStream value, SessionWire from) {
    boolean toFlush;
    synchronized (this) {
      if (!from.equals(wire) || over) {
        return;
      }
      switch (value) {
        case ToStream.PauseReading _ -> stream.pauseForSession();
        case ToStream.ResumeReading _ -> stream.resumeForSession();
        case ToStream.Moved() -> detach();
        case ToStream.Close _ -> {
          clear();
          stream.send(value);
        }
        default -> {
          switch (phase) {
            case NONE, WAITING -> {}
            case ASKED -> answered(value);
            case RESUMING -> resuming(value);
            case ATTACHED -> fromSession(value);
          }
        }
      }
      // A home that pauses the stream must not be called back: due values are sent by the threads
      // that add them.
      toFlush = !(value instanceof ToStream.PauseReading) && isToFlush();
    }
    if (toFlush) {
      flush();
    }
  }

  private void fromSession(ToStream value) {
    StreamSideSession kept = Objects.requireNonNull(session);
    boolean isNew = kept.take(value, shared.clock().getAsLong());
    stream.resumeIfFew(kept);
    ToSession acknowledgement = kept.acknowledgementDue();
    SessionWire to = wire;
    if (acknowledgement != null && to != null) {
      due.add(new Due(to, acknowledgement));
    }
    if (isNew) {
      stream.sendFromSession(value);
    }
  }

  // ---- what the client has asked for

  private void answered(ToStream value) {
    ToSession request = asked;
    if (isNotThere(value)
        && request instanceof ToSession.Resume resume
        && !resume.keeper()
        && shared.afterLoss().getAsBoolean()) {
      // Another stream of the client may still recover its session.
      phase = KeeperPhase.WAITING; // asks again in a second
      return;
    }
    switch (value) {
      case ToStream.Bound bound -> attach(StreamSideSession.bound(bound, shared.kept()));
      case ToStream.Resumed resumed when request instanceof ToSession.Resume resume ->
          attach(
              StreamSideSession.resumed(resumed, resume.id(), resume.delivered(), shared.kept()));
      case ToStream.Resumed resumed when request instanceof ToSession.Recover(var lost) ->
          attach(StreamSideSession.resumed(resumed, lost.id(), lost.delivered(), shared.kept()));
      case ToStream.NotBound _,
          ToStream.SessionNotFound _,
          ToStream.Unsettled _,
          ToStream.CountTooHigh _ -> {
        asked = null;
        detached = false;
        phase = KeeperPhase.NONE;
      }
      default -> {
        return;
      }
    }
    stream.send(value);
  }

  private static boolean isNotThere(ToStream value) {
    return value instanceof ToStream.Unsettled
        || (value instanceof ToStream.SessionNotFound(var handled) && handled == null);
  }

  private void attach(StreamSideSession kept) {
    session = kept;
    asked = null;
    detached = false;
    killed = false;
    phase = KeeperPhase.ATTACHED;
  }

  // ---- another wire

  /// The session is no longer at the other end of the wire.
  ///
  /// @param byKill whether the session may be gone because its process was killed
  public void lost(SessionWire old, boolean byKill) {
    synchronized (this) {
      if (old.equals(wire)) {
        killed |= byKill;
        detach();
      }
    }
    flush();
  }

  /// The nodes of the cluster have another placement, and the home is still at the other end of the
  /// wire, but it may have been elsewhere in between: a request without an answer may be lost. It
  /// is sent again on another wire, and taken back on this one, so that it never makes two
  /// sessions: a session that the first request has bound ends before the second binds one; a
  /// resumption that comes twice has the session on the second wire.
  public void placed(SessionWire on) {
    synchronized (this) {
      boolean isUnanswered = phase == KeeperPhase.ASKED || phase == KeeperPhase.RESUMING;
      if (isUnanswered && on.equals(wire) && !over) {
        boolean binds = asked instanceof ToSession.Bind;
        if (binds) {
          due.add(new Due(on, ENDED));
        }
        detach();
        if (!binds) {
          due.add(new Due(on, LOST));
        }
      }
    }
    flush();
  }

  private void detach() {
    if (over) {
      return; // late output reports belong to the previous attachment
    }
    stream.endPausesOfSession();
    if (phase != KeeperPhase.NONE && asked == null && !isResumable()) {
      end("the server restarts");
      return;
    }
    wire = null;
    if (phase == KeeperPhase.NONE) {
      return;
    }
    if (!detached) {
      detached = true;
      since = shared.clock().getAsLong();
    }
    if (asked == null) {
      stream.pause(true);
    }
    phase = KeeperPhase.WAITING;
    ask();
  }

  /// Whether the stream outlives its wire.
  public synchronized boolean isResumable() {
    return session != null && session.isResumable();
  }

  /// Looks where the session's home is now, and asks for the session if the stream waits for it.
  ///
  /// @param byKill whether a session that the stream waits for may be gone because a process was
  ///   killed
  public void update(boolean byKill) {
    synchronized (this) {
      killed |= byKill && detached;
      SessionWire old = wire;
      if (old != null && old.isAway()) {
        detach();
      } else if (phase == KeeperPhase.WAITING && !over) {
        ask();
      }
    }
    flush();
  }

  /// Whether the stream has no session at present and waits for one.
  public boolean isWaiting() {
    return detached;
  }

  private void ask() {
    SessionWire to = wire;
    if (to == null) {
      to = wires.get();
      wire = to;
    }
    if (to == null) {
      return;
    }
    askedAt = shared.clock().getAsLong();
    recovering = false;
    ToSession request = asked;
    StreamSideSession kept = session;
    if (request != null) {
      phase = KeeperPhase.ASKED;
      due.add(new Due(to, request));
    } else if (kept != null) {
      phase = KeeperPhase.RESUMING;
      due.add(new Due(to, kept.resume()));
    }
  }

  private void resuming(ToStream value) {
    StreamSideSession kept = Objects.requireNonNull(session);
    switch (value) {
      case ToStream.Resumed resumed -> {
        if (kept.isPossible(resumed)) {
          resumed(kept, resumed);
        } else {
          LOG.atWarn().addKeyValue("jid", kept.jid()).log("kept_session_differs");
          end("the server has lost what was sent");
        }
      }
      // Earlier stanzas of the client are still being stored.
      case ToStream.Unsettled() -> phase = KeeperPhase.WAITING;
      case ToStream.SessionNotFound _ -> recover(kept);
      case ToStream.State(var state) -> kept.state(state);
      default -> end("the server has lost the session");
    }
  }

  /// The home does not have the session: its process was killed, or the session has ended.
  private void recover(StreamSideSession kept) {
    SessionWire to = wire;
    LostSession lost = killed && !recovering ? kept.lost(shared.clock().getAsLong()) : null;
    if (to == null || lost == null) {
      end("the server has lost the session");
    } else if (to.isFull()) {
      phase = KeeperPhase.WAITING; // asks again in a second
    } else {
      recovering = true;
      due.add(new Due(to, new ToSession.Recover(lost)));
    }
  }

  private void resumed(StreamSideSession kept, ToStream.Resumed answer) {
    SessionWire to = wire;
    if (to == null) {
      return;
    }
    phase = KeeperPhase.ATTACHED;
    detached = false;
    killed = false;
    recovering = false;
    kept.continueAfter(answer).forEach(value -> due.add(new Due(to, value)));
    stream.send(new ToStream.Handled(answer.handled()));
    stream.resumeIfFew(kept);
  }

  /// Ends the stream. The last count says how many of the client's stanzas were handled (XEP-0198).
  public synchronized void end(String why) {
    if (!over) {
      clear();
      stream.send(new ToStream.Close(StreamErrorCondition.SYSTEM_SHUTDOWN, why));
    }
  }

  /// To be called about once a second.
  public void tick() {
    if (!detached) {
      return;
    }
    synchronized (this) {
      long now = shared.clock().getAsLong();
      if (over || !detached) {
        return;
      }
      if (now - since > shared.patience().toMillis()) {
        end("the server is away");
      } else if (phase == KeeperPhase.WAITING && now - askedAt > AGAIN_MILLIS) {
        ask();
      }
    }
    flush();
  }
}
