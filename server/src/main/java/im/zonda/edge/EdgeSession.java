package im.zonda.edge;

import im.zonda.link.LostSession;
import im.zonda.link.SessionEnd;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.link.keeper.SessionKeeper;
import im.zonda.link.keeper.SessionWire;
import im.zonda.stanza.StreamErrorCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The link of a client's stream at the edge to its session, over connections to several cores in
/// turn. The [SessionKeeper] lets the stream outlive a connection to a core; this class adds a
/// window for the stream, and the proofs for another core that the session is the client's.
///
/// When a core announces that it leaves, the stream moves to another core first: that core resumes
/// the session, which ends the stream at the former core.
///
/// The core that has negotiated the stream answers the client, and has the client read from, after
/// it has given the stream its session. Until then the stream stays there: no other core would send
/// that. If the connection is lost before, the stream ends, because the client may not have the
/// answer.
///
/// Any thread may call. Lock order: the keeper's lock before this object's.
final class EdgeSession implements SessionEnd {
  private static final ToStream PAUSE = new ToStream.PauseReading();
  private static final ToStream GO_ON = new ToStream.ResumeReading();
  private static final ToStream TOO_LARGE =
      new ToStream.Close(StreamErrorCondition.POLICY_VIOLATION, "the stanza is too large");

  /// A stream that two cores end within this time ends, in ms.
  private static final long CLOSED_MILLIS = 5_000;

  private final Edge edge;
  private final String ticket;
  private final SessionKeeper keeper;

  // ---- all guarded by this

  private @Nullable StreamEnd stream;

  /// The number of the stream; each connection that it uses has another one.
  private long number;

  /// The connection to a core; null while there is none.
  private @Nullable CoreWire wire;

  /// The former connection, until the session is on another one.
  private @Nullable CoreWire former;

  /// The proof of the state that the keeper has; null before it has arrived.
  private @Nullable String proof;

  /// The edge's own reasons to pause the client: too much output to the core, or too many values
  /// that the session has not taken.
  private boolean blocked;

  private boolean windowFull;
  private final EdgeWindow window = new EdgeWindow();
  private boolean over;

  /// Whether the core has not sent the client everything that ends the negotiation.
  private boolean negotiating = true;

  /// When a core last ended the stream because it stops.
  private long closed = Long.MIN_VALUE / 2;

  EdgeSession(Edge edge, long number, ToEdge.TakeOver value, CoreConnection core) {
    this.edge = edge;
    this.number = number;
    this.ticket = value.ticket();
    CoreWire first = new CoreWire(core, number);
    first.isOpen = true;
    this.wire = first;
    this.keeper = new SessionKeeper(edge.keepers(), this::wire);
    keeper.begin(value.answer(), value.id(), first);
  }

  /// Gives the stream its link; to be called once, before all else.
  void begin(Function<EdgeSession, StreamEnd> takeOver) {
    keeper.stream(() -> {
      StreamEnd opened = takeOver.apply(this);
      synchronized (this) {
        stream = opened;
      }
      return opened;
    });
  }

  /// The client has been sent the answer to its login and is read from.
  void negotiated() {
    synchronized (this) {
      negotiating = false;
    }
    update(); // the core may be leaving
  }

  // ---- from the stream

  @Override
  public void receive(ToSession value) {
    if (value instanceof ToSession.Lost || value instanceof ToSession.Ended) {
      synchronized (this) {
        over = true;
      }
    }
    keeper.receive(value);
  }

  @Override
  public void outputEnded() {
    keeper.outputEnded();
    CoreWire last;
    CoreWire before;
    synchronized (this) {
      over = true;
      edge.remove(number);
      last = wire;
      before = former;
      former = null;
    }
    leave(before);
    leave(last);
  }

  private static void leave(@Nullable CoreWire wire) {
    if (wire != null) {
      wire.leave();
    }
  }

  // ---- the way to a core

  /// The stream of this session on one connection to a core.
  private final class CoreWire implements SessionWire {
    private final CoreConnection core;
    private final long number;

    // Guarded by this wire's monitor; nothing else is locked under it.

    /// Whether the core knows the stream.
    private boolean isOpen;

    private boolean isLeft;

    CoreWire(CoreConnection core, long number) {
      this.core = core;
      this.number = number;
    }

    @Override
    public void send(ToSession value) {
      switch (value) {
        case ToSession.Resume resume -> reattach(resume);
        case ToSession.Recover(var lost) -> rebuild(lost);
        default -> sendValue(value);
      }
    }

    private void reattach(ToSession.Resume resume) {
      ToCore request =
          new ToCore.Reattach(
              number, keeper.jid(), ticket, resume.id(), resume.h(), resume.version());
      open(List.of(request));
    }

    private void rebuild(LostSession lost) {
      String proved = proof();
      if (proved == null) {
        keeper.receive(new ToStream.SessionNotFound(null), this);
        return;
      }
      List<ToCore> request = new ArrayList<>();
      request.add(
          new ToCore.Recover(
              number,
              lost.jid(),
              lost.state(),
              proved,
              lost.id(),
              lost.counts(),
              lost.lastIds(),
              lost.unacknowledged().size()));
      lost.unacknowledged().forEach(each -> request.add(new ToCore.Unacknowledged(number, each)));
      if (!open(request)) {
        keeper.receive(new ToStream.SessionNotFound(null), this);
      }
    }

    /// Opens the stream at the core; its number may be used again. False if that is too large.
    private synchronized boolean open(List<ToCore> request) {
      if (isLeft) {
        return true;
      }
      if (isOpen) {
        core.send(new ToCore.Gone(number));
      }
      isOpen = true;
      boolean fits = true;
      for (ToCore each : request) {
        fits = fits && core.send(each);
      }
      return fits;
    }

    private void sendValue(ToSession value) {
      byte[] frame = EdgeCodec.write(new ToCore.Value(number, value));
      if (edge.form().isTooLong(frame)) {
        keeper.receive(TOO_LARGE, this);
        return;
      }
      // Before it is sent: the core may have taken it before it would be counted.
      count(this, frame.length);
      synchronized (this) {
        if (isLeft) {
          return; // the keeper sends again what must not be lost
        }
        core.sendBytes(frame);
      }
      blockIfFull(this);
    }

    /// The stream no longer uses this connection.
    synchronized void leave() {
      if (!isLeft) {
        isLeft = true;
        core.left();
        if (isOpen) {
          core.send(new ToCore.Gone(number));
        }
      }
    }

    @Override
    public boolean isFull() {
      return core.isFull();
    }
  }

  private synchronized @Nullable String proof() {
    return proof;
  }

  /// That many bytes have been sent on that connection.
  private synchronized void count(CoreWire on, int bytes) {
    if (!on.equals(wire)) {
      return;
    }
    window.sent(bytes);
    if (window.isFull() && !windowFull) {
      windowFull = true;
      toStream(PAUSE);
    }
  }

  /// Pauses the client if too much waits on that connection.
  private void blockIfFull(CoreWire on) {
    synchronized (this) {
      if (!on.equals(wire) || !on.isFull() || blocked || over) {
        return;
      }
      blocked = true;
      toStream(PAUSE);
    }
    on.core.block(this);
  }

  private void toStream(ToStream value) {
    StreamEnd to = stream;
    if (to != null) {
      to.receive(value);
    }
  }

  private void openWindow() {
    if (windowFull) {
      windowFull = false;
      toStream(GO_ON);
    }
  }

  /// The output to the core has drained.
  synchronized void unblock() {
    if (blocked) {
      blocked = false;
      toStream(GO_ON);
    }
  }

  // ---- from the session

  /// Handles a value that has arrived on that connection.
  void receive(ToEdge value, CoreConnection from) {
    switch (value) {
      case ToEdge.Value(var to, var inner) -> fromCore(inner, wireOn(from, to));
      case ToEdge.WindowUpdate(var to, var bytes) -> updateWindow(bytes, wireOn(from, to));
      case ToEdge.State(var to, var newState, var newProof) ->
          state(newState, newProof, wireOn(from, to));
      default -> throw new IllegalStateException("not for a session: " + value);
    }
  }

  private void fromCore(ToStream value, @Nullable CoreWire on) {
    if (on == null) {
      return;
    }
    if (value instanceof ToStream.Close(var condition, var _)
        && condition == StreamErrorCondition.SYSTEM_SHUTDOWN
        && keeper.isResumable()
        && mayGoOn()
        && edge.findOther(on.core) != null) {
      move(on); // such as an evicted node
      return;
    }
    keeper.receive(value, on);
    if (value instanceof ToStream.Resumed) {
      CoreWire left;
      synchronized (this) {
        left = former;
        former = null;
      }
      leave(left);
    } else if (value instanceof ToStream.Enabled) {
      update(); // the core may be leaving
    }
  }

  /// Whether the stream may move to another core after this one has ended it; not repeatedly in a
  /// short time.
  private synchronized boolean mayGoOn() {
    if (negotiating) {
      return false;
    }
    long now = edge.keepers().clock().getAsLong();
    boolean may = now - closed > CLOSED_MILLIS;
    closed = now;
    return may;
  }

  private void state(@Nullable String newState, String newProof, @Nullable CoreWire on) {
    if (on == null) {
      return;
    }
    if (newState != null) {
      keeper.receive(new ToStream.State(newState), on);
    }
    synchronized (this) {
      proof = newProof;
    }
  }

  /// The connection on which a value has arrived, if it is the present one.
  private synchronized @Nullable CoreWire wireOn(CoreConnection core, long to) {
    CoreWire on = wire;
    return on == null || !on.core.equals(core) || on.number != to ? null : on;
  }

  private synchronized void updateWindow(long bytes, @Nullable CoreWire on) {
    if (on != null && on.equals(wire)) {
      window.update(bytes);
      if (window.isOpen()) {
        openWindow();
      }
    }
  }

  // ---- another connection

  /// A connection was lost.
  void lost(CoreConnection old) {
    CoreWire gone;
    boolean unanswered;
    synchronized (this) {
      if (former != null && former.core.equals(old)) {
        former = null;
      }
      gone = wire;
      if (gone == null || !gone.core.equals(old)) {
        return;
      }
      dropWire();
      unanswered = negotiating;
    }
    if (unanswered) {
      keeper.end("the server restarts");
    } else {
      keeper.lost(gone, true);
    }
  }

  private void dropWire() {
    wire = null;
    unblock();
    window.clear();
    openWindow();
  }

  /// The set of available cores has changed.
  void update() {
    CoreWire on;
    synchronized (this) {
      if (negotiating) {
        return;
      }
      on = wire;
    }
    if (on != null
        && on.core.isLeaving()
        && keeper.isResumable()
        && edge.findOther(on.core) != null) {
      move(on);
    } else {
      keeper.update(true);
    }
  }

  /// Leaves a core that still has the stream. That core is notified when the session is at another
  /// one, so that the session is never without a stream.
  private void move(CoreWire from) {
    CoreWire older;
    synchronized (this) {
      if (over || !from.equals(wire)) {
        return;
      }
      older = former;
      former = from;
      dropWire();
    }
    leave(older);
    keeper.lost(from, true);
  }

  /// The present connection to a core; null while there is none.
  private synchronized @Nullable SessionWire wire() {
    if (wire == null && !over) {
      CoreConnection core = edge.choose(former == null ? null : former.core);
      if (core != null) {
        number = edge.renumber(number);
        core.entered();
        wire = new CoreWire(core, number);
      }
    }
    return wire;
  }

  /// To be called about once a second.
  void tick() {
    keeper.tick();
  }
}
