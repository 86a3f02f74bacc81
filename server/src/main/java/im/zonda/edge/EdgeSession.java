package im.zonda.edge;

import im.zonda.link.LostSession;
import im.zonda.link.SessionEnd;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.link.keeper.SessionKeeper;
import im.zonda.link.keeper.SessionWire;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The link of a client's stream at the edge to its session at the core. Its [SessionKeeper] lets
/// the stream outlive the connection to the core; here is what the connection needs: a window for
/// each stream, and what proves to a core that was started again that the session is the client's.
///
/// Any thread may call. The keeper's lock may be held when this one is taken, not the other way.
final class EdgeSession implements SessionEnd {
  private static final ToStream PAUSE = new ToStream.PauseReading();
  private static final ToStream GO_ON = new ToStream.ResumeReading();

  private final Edge edge;
  private final long number;
  private final String ticket;
  private final SessionKeeper keeper;

  // ---- all guarded by this

  private @Nullable StreamEnd stream;

  /// The way to the core; null while there is no connection.
  private @Nullable CoreWire wire;

  /// Proves the state that the keeper has; null before it has come.
  private @Nullable String proof;

  /// Reasons of the edge's own to pause: too much that waits for the core, too much that the
  /// session has not taken.
  private boolean blocked;

  private boolean windowFull;
  private final EdgeWindow window = new EdgeWindow();
  private boolean over;

  EdgeSession(Edge edge, long number, ToEdge.TakeOver value, EdgeWire core) {
    this.edge = edge;
    this.number = number;
    this.ticket = value.ticket();
    CoreWire first = new CoreWire(core);
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
    edge.remove(number);
    CoreWire core;
    synchronized (this) {
      over = true;
      core = wire;
    }
    if (core != null) {
      core.gone();
    }
  }

  // ---- the way to the core

  /// What one connection to the core carries for this session.
  private final class CoreWire implements SessionWire {
    private final EdgeWire core;

    /// The core has heard of the stream on this connection.
    private boolean isOpen;

    CoreWire(EdgeWire core) {
      this.core = core;
    }

    @Override
    public void send(ToSession value) {
      switch (value) {
        case ToSession.Resume(var jid, var id, var h) -> reattach(id, h);
        case ToSession.Rebuild(var lost) -> rebuild(lost);
        default -> sendValue(value);
      }
    }

    private void reattach(String id, long h) {
      reopen();
      core.send(EdgeForm.write(new ToCore.Reattach(number, keeper.jid(), ticket, id, h)));
    }

    private void rebuild(LostSession lost) {
      String proved = proof();
      if (proved == null) {
        keeper.receive(new ToStream.SessionNotFound(null), this);
        return;
      }
      reopen();
      List<LostSession.Sent> sent = lost.unacknowledged();
      core.send(
          EdgeForm.write(
              new ToCore.Rebuild(
                  number,
                  lost.jid(),
                  lost.state(),
                  proved,
                  lost.id(),
                  lost.counts(),
                  lost.lastId(),
                  sent.size())));
      sent.forEach(each -> core.send(EdgeForm.write(new ToCore.Unacknowledged(number, each))));
    }

    /// The stream's number is used again.
    private void reopen() {
      if (isOpen) {
        gone();
      }
      isOpen = true;
    }

    void gone() {
      core.send(EdgeForm.write(new ToCore.Gone(number)));
    }

    private void sendValue(ToSession value) {
      byte[] frame = EdgeForm.write(new ToCore.Value(number, value));
      core.send(frame);
      count(this, frame.length);
    }

    @Override
    public boolean isFull() {
      return core.isFull();
    }
  }

  private synchronized @Nullable String proof() {
    return proof;
  }

  /// So many bytes have been sent on that connection.
  private void count(CoreWire on, int bytes) {
    boolean block;
    synchronized (this) {
      if (!on.equals(wire)) {
        return;
      }
      window.sent(bytes);
      if (window.isFull() && !windowFull) {
        windowFull = true;
        toStream(PAUSE);
      }
      block = on.isFull() && !blocked && !over;
      if (block) {
        blocked = true;
        toStream(PAUSE);
      }
    }
    if (block) {
      edge.block(this);
    }
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

  /// Less waits for the core.
  synchronized void unblock() {
    if (blocked) {
      blocked = false;
      toStream(GO_ON);
    }
  }

  // ---- from the session

  /// Handles a value that has come on that connection.
  void receive(ToEdge value, EdgeWire from) {
    CoreWire on = wireOn(from);
    if (on == null) {
      return;
    }
    switch (value) {
      case ToEdge.Value(var _, var inner) -> keeper.receive(inner, on);
      case ToEdge.WindowUpdate(var _, var bytes) -> updateWindow(bytes);
      case ToEdge.State(var _, var newState, var newProof) -> {
        if (newState != null) {
          keeper.receive(new ToStream.State(newState), on);
        }
        synchronized (this) {
          proof = newProof;
        }
      }
      default -> throw new IllegalStateException("not for a session: " + value);
    }
  }

  private synchronized @Nullable CoreWire wireOn(EdgeWire core) {
    CoreWire on = wire;
    return on == null || !on.core.equals(core) ? null : on;
  }

  private synchronized void updateWindow(long bytes) {
    window.update(bytes);
    if (window.isOpen()) {
      openWindow();
    }
  }

  // ---- another connection to the core

  /// That connection to the core is gone.
  void detach(EdgeWire old) {
    CoreWire gone;
    synchronized (this) {
      gone = wireOn(old);
      if (gone == null) {
        return;
      }
      wire = null;
      unblock();
      window.clear();
      openWindow();
    }
    keeper.lost(gone, true);
  }

  /// There is a connection to the core.
  void attach(EdgeWire core) {
    synchronized (this) {
      if (wire == null) {
        wire = new CoreWire(core);
      }
    }
    keeper.update(true);
  }

  /// The way to the core now; null while there is none.
  private synchronized @Nullable SessionWire wire() {
    EdgeWire core = edge.wire();
    if (wire == null && core != null) {
      wire = new CoreWire(core);
    }
    return wire;
  }

  /// To be called about once a second.
  void tick() {
    keeper.tick();
  }
}
