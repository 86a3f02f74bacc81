package im.zonda.stream.client;

import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.SessionGate;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.stanza.Stanza;
import im.zonda.stream.StreamTransport;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/// The end of a link at the client's stream.
///
/// Values from the session may come by any thread. Stanzas go to the transport; the other values
/// are handled on the stream's thread, in the same order. Only the count of what has been handled,
/// which changes with every stanza, is just stored: the stream is woken if it waits for it.
final class SessionLink implements StreamEnd {
  /// In place of a count: nothing is waited for.
  static final long NONE = Long.MAX_VALUE;

  private static final AtomicLongFieldUpdater<SessionLink> DELIVERED =
      AtomicLongFieldUpdater.newUpdater(SessionLink.class, "delivered");
  private static final AtomicIntegerFieldUpdater<SessionLink> WAKING =
      AtomicIntegerFieldUpdater.newUpdater(SessionLink.class, "waking");

  private static final ToSession BEGUN = new ToSession.Begun();
  private static final ToSession LOST = new ToSession.Lost();
  private static final ToSession ENDED = new ToSession.Ended();

  /// What the client is waiting for.
  private enum State {
    IDLE,
    BINDING,
    RESUMING,
    BOUND,
    OVER
  }

  /// Gets the answer to a bind or a resumption, on the stream's thread.
  @FunctionalInterface
  interface Answer {
    /// Handles the answer. Not called if the stream has ended.
    void handle(ToStream value);
  }

  private final ClientStream stream;
  private final StreamTransport transport;
  private final SessionEnd session;
  private State state = State.IDLE;
  private @Nullable Answer answer;

  /// The stanzas that the client has sent on this session's managed streams.
  private long received;

  private boolean counting;

  // ---- written by the session, read on the stream's thread

  private volatile long handled;
  private volatile long delivered;

  /// The count that the client waits for, or [#NONE]. Written on the stream's thread.
  private volatile long awaited = NONE;

  @SuppressWarnings("UnusedVariable") // through WAKING
  private volatile int waking;

  SessionLink(ClientStream stream, StreamTransport transport, SessionGate gate) {
    this.stream = stream;
    this.transport = transport;
    this.session = gate.open(this);
  }

  // ---- from the session, by any thread

  @Override
  public void receive(ToStream value) {
    switch (value) {
      case ToStream.Deliver deliver -> {
        DELIVERED.lazySet(this, deliver.number());
        transport.deliver(deliver);
      }
      case ToStream.Handled(long h) -> {
        handled = h;
        if (h >= awaited && WAKING.compareAndSet(this, 0, 1)) {
          transport.execute(this::wake);
        }
      }
      case ToStream.Enabled _ -> {
        DELIVERED.lazySet(this, 0);
        transport.enqueue(() -> handle(value));
      }
      case ToStream.Resumed resumed -> {
        handled = resumed.handled();
        DELIVERED.lazySet(this, resumed.acknowledged());
        transport.enqueue(() -> handle(value));
      }
      default -> transport.enqueue(() -> handle(value));
    }
  }

  private void wake() {
    waking = 0;
    stream.allHandled();
  }

  /// On the stream's thread.
  private void handle(ToStream value) {
    switch (value) {
      case ToStream.PauseReading() -> stream.pauseReading();
      case ToStream.ResumeReading() -> stream.resumeReading();
      case ToStream.Close(var condition, var text) -> stream.fail(condition, text);
      case ToStream.Enabled enabled -> stream.enabled(enabled);
      case ToStream.NotEnabled() -> stream.enabled(null);
      case ToStream.Deliver _, ToStream.Handled _ -> throw new IllegalStateException();
      case ToStream.Bound _,
          ToStream.NotBound _,
          ToStream.Resumed _,
          ToStream.SessionNotFound _,
          ToStream.Unsettled _,
          ToStream.CountTooHigh _ ->
          answered(value);
    }
  }

  private void answered(ToStream value) {
    Answer waiting = answer;
    if (waiting == null || state == State.OVER) {
      return;
    }
    answer = null;
    state = State.IDLE;
    if (value instanceof ToStream.Bound bound) {
      state = State.BOUND;
      counting = bound.enabled() != null;
    } else if (value instanceof ToStream.Resumed resumed) {
      state = State.BOUND;
      counting = true;
      received = resumed.handled();
    }
    waiting.handle(value);
  }

  // ---- to the session, on the stream's thread

  /// Asks for a resource; `then` gets [ToStream.Bound] or [ToStream.NotBound].
  void bind(ToSession.Bind bind, Answer then) {
    state = State.BINDING;
    answer = then;
    session.receive(bind);
  }

  /// Asks for an older session; `then` gets [ToStream.Resumed] or why not.
  void resume(Jid account, String id, long h, Answer then) {
    state = State.RESUMING;
    answer = then;
    session.receive(new ToSession.Resume(account, id, h));
  }

  /// Asks for stream management; what the client sends from now on is counted.
  void enable(boolean resumable) {
    if (!counting) {
      counting = true;
      received = 0;
    }
    session.receive(new ToSession.Enable(resumable));
  }

  /// The client has sent a stanza.
  void received(Stanza stanza) {
    session.receive(new ToSession.Received(stanza, counting ? ++received : 0));
  }

  /// The client has sent a stanza that the stream deals with itself, and answers.
  void dealt(@Nullable Stanza reply) {
    if (counting || reply != null) {
      session.receive(new ToSession.Dealt(counting ? ++received : 0, reply));
    }
  }

  /// The client has handled `h` stanzas.
  void acknowledged(long h) {
    session.receive(new ToSession.Acknowledged(h));
  }

  /// The bytes of stanzas that were to be reported have left.
  void written(long number) {
    session.receive(new ToSession.Written(number));
  }

  /// Whether someone looks at the client.
  void active(boolean active) {
    session.receive(new ToSession.Active(active));
  }

  /// The client has had time to enable stream management.
  void begun() {
    session.receive(BEGUN);
  }

  /// The stream has ended.
  ///
  /// @param lost whether the session may go on
  void end(boolean lost) {
    State before = state;
    state = State.OVER;
    answer = null;
    switch (before) {
      case BOUND -> session.receive(lost ? LOST : ENDED);
      // The client does not know of the session, so it cannot come back to it.
      case BINDING -> session.receive(ENDED);
      case RESUMING -> session.receive(LOST);
      case IDLE, OVER -> {}
    }
  }

  // ---- counts

  /// How many stanzas the client has sent.
  long received() {
    return received;
  }

  /// How many of them have been handled.
  long handled() {
    return handled;
  }

  /// How many stanzas the client has been sent.
  long delivered() {
    return delivered;
  }

  /// The stream wants to be woken when so many stanzas have been handled; [#NONE]: no more.
  void await(long count) {
    awaited = count;
  }
}
