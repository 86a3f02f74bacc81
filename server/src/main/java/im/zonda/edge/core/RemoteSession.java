package im.zonda.edge.core;

import im.zonda.edge.EdgeWindow;
import im.zonda.edge.ToCore;
import im.zonda.edge.ToEdge;
import im.zonda.jid.Jid;
import im.zonda.link.LostSession;
import im.zonda.link.SessionEnd;
import im.zonda.link.SessionGate;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.stanza.StreamErrorCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// The link of a client's stream at an edge to its session. While the stream negotiates here, the
/// session's values go to the local stream. After the answer that gives it the session, they wait
/// until the stream has moved, and then go to the edge.
///
/// The session may send values on any thread. Values of the edge are checked before they reach the
/// session: an edge can send no more than a stream could.
final class RemoteSession implements StreamEnd {
  /// A longer state is not sent: the edge keeps the former one.
  private static final int MAX_STATE = 65_536;

  private final EdgeOutput edge;
  private final long number;
  private final Executor thread;

  private @Nullable StreamEnd local;
  private @Nullable SessionEnd session;

  // ---- guarded by this

  /// The id by which the session can be resumed, if it can.
  private @Nullable String id;

  /// The answer that has given the stream its session.
  private @Nullable ToStream answer;

  /// Values that the session has sent since, until the stream has moved.
  private @Nullable List<ToStream> waiting;

  /// A state that the edge has not been sent, and the digest of the one that it has.
  private @Nullable String state;

  private byte @Nullable [] digest;

  /// The process that the last proof of the state is for.
  private @Nullable String process;

  private boolean moved;
  private @Nullable Jid jid;
  private long delivered;
  private int pauses;

  /// The number of the last stanza that the client has sent; -1 if they are not numbered.
  private long received = -1;

  private long acknowledged;

  /// Bytes of the stream's values that are taken and not yet reported to the edge, and the largest
  /// value of them: one stanza is accepted however large it is.
  private long taken;

  private int largest;

  /// A stanza has not been sent because too much waits for the edge.
  private boolean refused;

  /// Whether only [ToSession.Written] may still go to the session.
  private boolean over;

  /// @param thread the stream's thread
  RemoteSession(EdgeOutput edge, long number, Executor thread) {
    this.edge = edge;
    this.number = number;
    this.thread = thread;
  }

  /// Opens the link for a stream that negotiates here.
  SessionEnd open(SessionGate gate, StreamEnd stream) {
    local = stream;
    SessionEnd opened = gate.open(this);
    session = opened;
    return new SessionEnd() {
      @Override
      public void receive(ToSession value) {
        if (value instanceof ToSession.Resume resume) {
          resumes(resume.id());
        }
        opened.receive(value);
      }

      @Override
      public void outputEnded() {
        opened.outputEnded();
      }
    };
  }

  private synchronized void resumes(String wanted) {
    id = wanted;
  }

  /// Resumes the session of a stream that is at the edge already.
  void reattach(SessionGate gate, ToCore.Reattach value) {
    Jid full = value.jid();
    ask(
        gate,
        full,
        new ToSession.Resume(full.bare(), value.id(), value.h(), true, value.version()));
  }

  /// Recovers the session of a stream that is at the edge already. Its state must have been proved.
  void rebuild(SessionGate gate, LostSession lost) {
    ask(gate, lost.jid(), new ToSession.Recover(lost));
  }

  private void ask(SessionGate gate, Jid full, ToSession request) {
    synchronized (this) {
      moved = true;
      jid = full;
    }
    SessionEnd opened = gate.open(this);
    session = opened;
    opened.receive(request);
  }

  // ---- from the session

  @Override
  public boolean keepsState() {
    return true;
  }

  @Override
  public synchronized void receive(ToStream value) {
    if (value instanceof ToStream.State(var newState)) {
      state = newState;
      sendState();
    } else if (moved) {
      send(value);
    } else if (waiting != null) {
      waiting.add(value);
    } else {
      StreamEnd stream = local;
      if (stream != null) {
        stream.receive(value);
      }
      if (value instanceof ToStream.Bound || value instanceof ToStream.Resumed) {
        answer = value;
        waiting = new ArrayList<>(4);
        thread.execute(this::moveBegun); // after the stream has handled the answer
      }
    }
  }

  private synchronized void moveBegun() {
    List<ToStream> all = waiting;
    waiting = null;
    local = null;
    moved = true;
    if (all != null) {
      all.forEach(this::send);
    }
    sendState();
  }

  private void sendState() {
    String newState = state;
    Jid own = jid;
    if (moved && own != null && newState != null && !over && newState.length() <= MAX_STATE) {
      byte[] newDigest = Proofs.digest(newState);
      String at = edge.sendState(number, own, newState, newDigest);
      if (at != null) {
        state = null;
        digest = newDigest;
        process = at;
      }
    }
  }

  /// Sends another proof of the same state if the session has moved to another process.
  ///
  /// @param old whether the proof is becoming too old
  synchronized void checkProof(boolean old) {
    byte[] current = digest;
    Jid own = jid;
    if (state != null) {
      sendState();
    } else if (current != null && own != null && !over) {
      String now = edge.processOf(own);
      if (now != null && (old || !now.equals(process))) {
        process = edge.sendState(number, own, null, current);
      }
    }
  }

  private void send(ToStream value) {
    if (value instanceof ToStream.Deliver(var stanza, var _, var _, var _)) {
      if (refused) {
        return; // the client counts stanzas: none after the rejected one may be sent
      }
      if (edge.isTooMuch(stanza.writtenSize())) {
        refused = true;
        // Later: the session is in the middle of its own work.
        thread.execute(
            () -> fail(StreamErrorCondition.RESOURCE_CONSTRAINT, "too much is waiting to be read"));
        return;
      }
    }
    switch (value) {
      case ToStream.Deliver deliver -> delivered = deliver.number();
      case ToStream.PauseReading _ -> pauses++;
      case ToStream.ResumeReading _ -> {
        pauses--;
        reportTaken();
      }
      case ToStream.Enabled _ -> delivered = 0;
      case ToStream.Resumed resumed -> resumed(resumed);
      // There is no session, or none that waits for this stream.
      case ToStream.SessionNotFound _, ToStream.Unsettled _, ToStream.CountTooHigh _ -> over = true;
      default -> {}
    }
    edge.send(number, value);
  }

  private void resumed(ToStream.Resumed resumed) {
    delivered = resumed.acknowledged();
    Jid expected = jid;
    if (expected != null && !expected.equals(resumed.jid())) {
      edge.violation("a session of another resource");
    }
    received = resumed.handled();
    acknowledged = resumed.acknowledged();
  }

  /// The answer that has given the stream its session, once the stream has it.
  synchronized Moved moved() {
    return switch (answer) {
      case ToStream.Bound bound -> {
        Jid full = bound.jid();
        ToStream.Enabled enabled = bound.enabled();
        jid = full;
        received = enabled == null ? -1 : 0;
        yield new Moved(full, enabled == null ? null : enabled.id(), bound);
      }
      case ToStream.Resumed resumed -> {
        jid = resumed.jid();
        received = resumed.handled();
        acknowledged = resumed.acknowledged();
        delivered = acknowledged;
        yield new Moved(resumed.jid(), id, resumed);
      }
      case null, default -> throw new IllegalStateException("the stream has no session");
    };
  }

  /// The values that the edge gets with the stream.
  ///
  /// @param jid the full address
  /// @param id by which the session can be resumed; null if it cannot
  /// @param answer the session's answer
  record Moved(Jid jid, @Nullable String id, ToStream answer) {}

  // ---- from the edge

  /// Takes a value from the edge; returns what is wrong with it, or null.
  ///
  /// @param bytes the size of its frame
  @Nullable String receive(ToSession value, int bytes) {
    SessionEnd to = session;
    if (to == null) {
      return "a value before a session";
    }
    boolean flooded;
    synchronized (this) {
      if (over && !(value instanceof ToSession.Written)) {
        return null; // the value was on its way
      }
      String wrong = check(value);
      if (wrong != null) {
        return wrong;
      }
      flooded = !hasWindow(bytes);
      over |= value instanceof ToSession.Lost || value instanceof ToSession.Ended;
    }
    if (flooded) {
      fail(StreamErrorCondition.POLICY_VIOLATION, "too much was sent while the server paused");
    } else {
      to.receive(value);
    }
    return null;
  }

  private @Nullable String check(ToSession value) {
    return switch (value) {
      case ToSession.Bind _, ToSession.Resume _, ToSession.Recover _ ->
          "a session without a negotiation";
      case ToSession.Received(var stanza, var count) -> {
        Jid from = stanza.from();
        Jid own = jid;
        if (own == null || (from != null && !from.equals(own) && !from.equals(own.bare()))) {
          yield "a stanza from another address";
        }
        yield isNext(count) ? null : "a stanza out of order";
      }
      case ToSession.HandledByStream(var count, var _) ->
          isNext(count) ? null : "a stanza out of order";
      case ToSession.Enable _ -> {
        received = Math.max(received, 0);
        yield null;
      }
      case ToSession.Acknowledged(var h) -> {
        boolean possible = h >= acknowledged && h <= delivered;
        acknowledged = h;
        yield possible ? null : "an acknowledgement of stanzas that were not sent";
      }
      case ToSession.Written(var count) ->
          count <= delivered ? null : "a report of stanzas that were not sent";
      case ToSession.Active _, ToSession.EnablingOver _, ToSession.Lost _, ToSession.Ended _ ->
          null;
    };
  }

  private boolean isNext(long count) {
    if (received < 0) {
      return count == 0;
    }
    received++;
    return count == received;
  }

  /// Counts a value in the stream's window. False if the stream has sent on while it should pause:
  /// it ends, because it would fill memory that others share.
  private boolean hasWindow(int bytes) {
    largest = taken == 0 ? bytes : Math.max(largest, bytes);
    taken += bytes;
    reportTaken();
    return pauses <= 0 || taken - largest <= EdgeWindow.MOST;
  }

  private void reportTaken() {
    if (pauses <= 0 && taken >= EdgeWindow.STEP) {
      edge.send(new ToEdge.WindowUpdate(number, taken));
      taken = 0;
    }
  }

  /// Ends the stream at the edge. The session waits for another one if it can.
  void fail(StreamErrorCondition condition, @Nullable String text) {
    SessionEnd to = session;
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
      edge.send(new ToEdge.Value(number, new ToStream.Close(condition, text)));
    }
    if (to != null) {
      to.receive(new ToSession.Lost());
    }
  }

  /// The edge has lost the stream, or is gone.
  void lost() {
    SessionEnd to = session;
    boolean live;
    synchronized (this) {
      live = !over;
      over = true;
    }
    if (to != null) {
      if (live) {
        to.receive(new ToSession.Lost());
      }
      to.outputEnded();
    }
  }
}
