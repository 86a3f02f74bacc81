package im.zonda.edge;

import im.zonda.link.LinkCodec;
import im.zonda.link.LinkFormatException;
import im.zonda.link.LinkInput;
import im.zonda.link.ToStream;
import im.zonda.stanza.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// An edge's end of its connection to one of the cores. Any thread may call the methods that are
/// not part of [EdgeWire.Handler].
final class CoreConnection implements EdgeWire.Handler {
  private static final Logger LOG = LoggerFactory.getLogger(CoreConnection.class);

  private final Edge edge;
  private final EdgeWire wire;
  private final String name;

  /// Sessions that have paused their clients until less waits to be sent here.
  private final Queue<EdgeSession> blocked = new ConcurrentLinkedQueue<>();

  private final AtomicInteger streams = new AtomicInteger();
  private volatile boolean leaving;

  /// @param name the name in the core's certificate
  CoreConnection(Edge edge, EdgeWire wire, String name) {
    this.edge = edge;
    this.wire = wire;
    this.name = name;
  }

  // ---- for streams

  /// Sends a value, after those that the caller has sent before.
  ///
  /// @return false if it is too large to be sent
  boolean send(ToCore value) {
    byte[] frame = EdgeCodec.write(value);
    if (edge.form().isTooLong(frame)) {
      return false;
    }
    wire.send(frame);
    return true;
  }

  /// Sends a value that has been written.
  void sendBytes(byte[] frame) {
    wire.send(frame);
  }

  boolean isFull() {
    return wire.isFull();
  }

  /// Whether streams should go to another core.
  boolean isLeaving() {
    return leaving;
  }

  /// How many streams use this connection.
  int streams() {
    return streams.get();
  }

  /// One more stream uses this connection.
  void entered() {
    streams.incrementAndGet();
  }

  /// A stream no longer uses this connection.
  void left() {
    streams.decrementAndGet();
  }

  /// The session has paused its client until less waits here.
  void block(EdgeSession session) {
    blocked.add(session);
    if (!wire.isFull()) {
      session.unblock();
    }
  }

  // ---- from the core

  @Override
  public void received(byte[] frame) {
    if (LinkInput.kind(frame) > EdgeCodec.LAST_FOR_EDGE) {
      LOG.atDebug().addKeyValue("core", name).log("core_value_of_later_version");
      return;
    }
    ToEdge value;
    try {
      value = edge.form().readToEdge(frame);
    } catch (LinkFormatException | RuntimeException e) {
      failed(frame, e);
      return;
    }
    try {
      handle(value);
    } catch (RuntimeException | StackOverflowError e) {
      LOG.atError().addKeyValue("core", name).setCause(e).log("core_value_failed");
      endStream(frame);
    }
  }

  /// A value that cannot be read ends its stream; a stanza is only replaced.
  private void failed(byte[] frame, Exception cause) {
    ToEdge.Value instead;
    try {
      instead = EdgeCodec.instead(frame);
    } catch (LinkFormatException e) {
      LOG.atError().addKeyValue("core", name).setCause(cause).log("core_rejected");
      wire.close("a frame that is no value");
      return;
    }
    LOG.atError()
        .addKeyValue("core", name)
        .addKeyValue("stream", instead.stream())
        .addKeyValue("bytes", frame.length)
        .setCause(cause)
        .log("core_value_not_read");
    try {
      handle(instead);
    } catch (RuntimeException e) {
      endStream(frame);
    }
  }

  /// A defect ends its stream; other streams of the core stay.
  private void endStream(byte[] frame) {
    try {
      long stream = EdgeCodec.instead(frame).stream();
      edge.pass(stream, new ToEdge.Value(stream, LinkCodec.FAILURE), this);
    } catch (LinkFormatException | RuntimeException e) {
      wire.close("a failure");
    }
  }

  private void handle(ToEdge value) {
    switch (value) {
      case ToEdge.Alive() -> {}
      case ToEdge.Stopping() -> {
        LOG.atInfo().addKeyValue("core", name).log("core_stopping");
        leaving = true;
      }
      case ToEdge.Leaving(var now) -> leaving(now);
      case ToEdge.Banned(var networks) -> edge.ban(networks);
      case ToEdge.Header(var number, var _) -> edge.pass(number, value, this);
      case ToEdge.Write(var number, var _) -> edge.pass(number, value, this);
      case ToEdge.WriteStanza(var number, var _) -> edge.pass(number, value, this);
      case ToEdge.StartTls(var number) -> edge.pass(number, value, this);
      case ToEdge.Restart(var number) -> edge.pass(number, value, this);
      case ToEdge.Authenticated(var number, var _) -> edge.pass(number, value, this);
      case ToEdge.Continue(var number) -> edge.pass(number, value, this);
      case ToEdge.Finish(var number) -> edge.pass(number, value, this);
      case ToEdge.TakeOver takeOver -> edge.pass(takeOver.stream(), value, this);
      case ToEdge.Value each -> edge.pass(each.stream(), arrivedNow(each), this);
      case ToEdge.WindowUpdate(var number, var _) -> edge.pass(number, value, this);
      case ToEdge.State state -> edge.pass(state.stream(), value, this);
    }
  }

  /// A message is measured from now on: the clock of the core is another one.
  private static ToEdge.Value arrivedNow(ToEdge.Value value) {
    return value.value() instanceof ToStream.Deliver(Message message, var number, var report, var _)
        ? new ToEdge.Value(
            value.stream(), new ToStream.Deliver(message, number, report, System.nanoTime()))
        : value;
  }

  private void leaving(boolean now) {
    LOG.atInfo()
        .addKeyValue("core", name)
        .addKeyValue("leaving", now)
        .addKeyValue("streams", streams())
        .log("core_leaving");
    leaving = now;
    edge.coresChanged();
  }

  @Override
  public void tick() {
    send(new ToCore.Alive());
  }

  @Override
  public void drained() {
    List<EdgeSession> all = new ArrayList<>();
    for (EdgeSession each = blocked.poll(); each != null; each = blocked.poll()) {
      all.add(each);
    }
    all.forEach(EdgeSession::unblock);
  }

  @Override
  public void ended() {
    LOG.atWarn().addKeyValue("core", name).addKeyValue("streams", streams()).log("core_lost");
    edge.lost(this);
    drained();
  }
}
