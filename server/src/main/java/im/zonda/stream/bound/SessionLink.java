package im.zonda.stream.bound;

import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.SessionGate;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.stanza.Stanza;
import im.zonda.stream.StreamTransport;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The end of a link at the client's stream.
///
/// Values from the session may come by any thread. Stanzas go to the transport; the other values
/// are handled on the stream's thread, in the same order. Only the count of what has been handled,
/// which changes with every stanza, is just stored: the stream is woken if it waits for it.
public final class SessionLink implements StreamEnd {
  /// In place of a count that is waited for: higher than any.
  static final long NOTHING_AWAITED = Long.MAX_VALUE;

  private static final AtomicLongFieldUpdater<SessionLink> DELIVERED =
      AtomicLongFieldUpdater.newUpdater(SessionLink.class, "delivered");
  private static final AtomicLongFieldUpdater<SessionLink> AWAITED =
      AtomicLongFieldUpdater.newUpdater(SessionLink.class, "awaited");

  /// In place of a count: what the client sends is not counted.
  private static final long UNCOUNTED = -1;

  private static final ToSession BEGUN = new ToSession.EnablingOver();
  private static final ToSession LOST = new ToSession.Lost();
  private static final ToSession ENDED = new ToSession.Ended();

  /// Whether there is a session, or the client waits for one.
  private sealed interface State permits Settled, Binding, Resuming {}

  private enum Settled implements State {
    IDLE,
    BOUND,
    OVER
  }

  private record Binding(Answer then) implements State {}

  private record Resuming(Answer then) implements State {}

  /// Gets the answer to a bind or a resumption, on the stream's thread.
  @FunctionalInterface
  public interface Answer {
    /// Handles the answer. Not called if the stream has ended.
    void handle(ToStream value);
  }

  private final OpenStream stream;
  private final StreamTransport transport;
  private final SessionEnd session;
  private State state = Settled.IDLE;

  /// The stanzas that the client has sent on this session's managed streams, or [#UNCOUNTED].
  private long received = UNCOUNTED;

  // ---- written by the session, read on the stream's thread

  private volatile long handled;
  private volatile long delivered;

  /// The count that the client waits for, or [#NOTHING_AWAITED]. Set on the stream's thread, taken
  /// by the first value that reaches it.
  private volatile long awaited = NOTHING_AWAITED;

  /// A link that is opened by the gate.
  public SessionLink(OpenStream stream, SessionGate gate) {
    this.stream = stream;
    this.transport = stream.transport();
    this.session = gate.open(this);
  }

  private SessionLink(OpenStream stream, SessionEnd session) {
    this.stream = stream;
    this.transport = stream.transport();
    this.session = session;
  }

  /// A link that another process has opened; `begin` gets it with the session's answer, which is
  /// its first value.
  public static SessionLink of(
      OpenStream stream, SessionEnd session, BiConsumer<SessionLink, ToStream> begin) {
    SessionLink link = new SessionLink(stream, session);
    link.state = new Resuming(answer -> begin.accept(link, answer));
    return link;
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
        long wanted = awaited;
        if (h >= wanted && AWAITED.compareAndSet(this, wanted, NOTHING_AWAITED)) {
          transport.execute(stream::allHandled);
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

  /// On the stream's thread.
  private void handle(ToStream value) {
    switch (value) {
      case ToStream.PauseReading() -> stream.pauseReading();
      case ToStream.ResumeReading() -> stream.resumeReading();
      case ToStream.Close(var condition, var text) -> stream.fail(condition, text);
      case ToStream.Enabled enabled -> stream.enabled(enabled);
      case ToStream.NotEnabled() -> stream.enabled(null);
      case ToStream.Deliver _, ToStream.Handled _, ToStream.State _, ToStream.Moved _ ->
          throw new IllegalStateException();
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
    Answer then =
        switch (state) {
          case Binding(Answer waiting) -> waiting;
          case Resuming(Answer waiting) -> waiting;
          case Settled _ -> null;
        };
    if (then == null) {
      return;
    }
    state = Settled.IDLE;
    if (value instanceof ToStream.Bound bound) {
      state = Settled.BOUND;
      received = bound.enabled() == null ? UNCOUNTED : 0;
    } else if (value instanceof ToStream.Resumed resumed) {
      state = Settled.BOUND;
      received = resumed.handled();
    }
    then.handle(value);
  }

  // ---- to the session, on the stream's thread

  /// Asks for a resource; `then` gets [ToStream.Bound] or [ToStream.NotBound].
  public void bind(ToSession.Bind bind, Answer then) {
    state = new Binding(then);
    session.receive(bind);
  }

  /// Asks for an older session; `then` gets [ToStream.Resumed] or why not.
  public void resume(Jid account, String id, long h, Answer then) {
    state = new Resuming(then);
    session.receive(new ToSession.Resume(account, id, h));
  }

  /// Asks for stream management; what the client sends from now on is counted.
  void enable(boolean resumable) {
    received = Math.max(received, 0);
    session.receive(new ToSession.Enable(resumable));
  }

  /// The client has sent a stanza.
  void received(Stanza stanza) {
    session.receive(new ToSession.Received(stanza, count()));
  }

  /// The client has sent a stanza that the stream deals with itself, and answers.
  void dealt(@Nullable Stanza reply) {
    long number = count();
    if (number > 0 || reply != null) {
      session.receive(new ToSession.HandledByStream(number, reply));
    }
  }

  /// The number of a stanza that the client has sent; 0 if they are not counted.
  private long count() {
    return received == UNCOUNTED ? 0 : ++received;
  }

  /// The client has handled `h` stanzas.
  void acknowledged(long h) {
    session.receive(new ToSession.Acknowledged(h));
  }

  /// The bytes of stanzas that were to be reported have left.
  public void written(long number) {
    session.receive(new ToSession.Written(number));
  }

  /// Whether someone looks at the client.
  void active(boolean active) {
    session.receive(new ToSession.Active(active));
  }

  /// The time in which a client enables stream management has passed.
  void begun() {
    session.receive(BEGUN);
  }

  /// The stream has ended.
  ///
  /// @param lost whether the session may go on
  public void end(boolean lost) {
    State before = state;
    state = Settled.OVER;
    switch (before) {
      case Settled.BOUND -> session.receive(lost ? LOST : ENDED);
      // The client does not know of the session, so it cannot come back to it.
      case Binding _ -> session.receive(ENDED);
      case Resuming _ -> session.receive(LOST);
      case Settled.IDLE, Settled.OVER -> {}
    }
  }

  /// No session was found, and another link asks for the next one.
  public void abandon() {
    state = Settled.OVER;
    session.receive(ENDED);
    session.outputEnded();
  }

  /// No [#written] follows.
  public void outputEnded() {
    session.outputEnded();
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

  /// Wakes the stream when `count` stanzas have been handled; [#NOTHING_AWAITED] cancels that.
  void await(long count) {
    awaited = count;
  }
}
