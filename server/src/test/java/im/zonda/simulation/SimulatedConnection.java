package im.zonda.simulation;

import im.zonda.link.ToStream;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stream.ByteStream;
import im.zonda.stream.ChannelBinding;
import im.zonda.stream.Stream;
import im.zonda.stream.StreamOpening;
import im.zonda.stream.StreamTransport;
import im.zonda.stream.StreamXml;
import im.zonda.stream.TlsStart;
import im.zonda.stream.client.StreamContext;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// One connection: the server's end, and what is on its way in both directions.
final class SimulatedConnection implements StreamTransport {
  private static final String SM = "urn:xmpp:sm:3";

  /// Output of the server.
  ///
  /// @param report the number that is reported when the operating system has taken the bytes, or 0
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Output(byte[] bytes, @Nullable Message message, long report) {}

  private final Ledger ledger;
  private final SimulatedClock clock;
  private final Turns.Lane lane;
  private final int budget;
  private final ByteStream input;
  private final Stream stream;
  private final Queue<Output> output = new ArrayDeque<>();

  /// What other threads have sent and the stream's thread has not seen: stanzas and tasks.
  private final Queue<Object> queued = new ArrayDeque<>();

  private final Queue<byte[]> toClient = new ArrayDeque<>();
  private final Queue<byte[]> toServer = new ArrayDeque<>();
  private long waiting;
  private boolean flushing;
  private boolean clogged;
  private boolean reading = true;
  private boolean dropped;
  private boolean closing;
  private boolean enabled;

  /// The server knows that the connection is gone.
  private boolean gone;

  /// The session that its client manages on it, or tries to resume on it.
  SimulatedClient.@Nullable Managed managed;

  /// @param budget the most bytes that wait for the client
  SimulatedConnection(
      Ledger ledger, SimulatedClock clock, Turns.Lane lane, StreamContext streams, int budget) {
    this.ledger = ledger;
    this.clock = clock;
    this.lane = lane;
    this.budget = budget;
    this.input = new ByteStream(streams.profile(), this);
    this.stream = input.stream();
  }

  // ---- the network, as the simulation decides

  /// The client sends.
  void fromClient(byte[] bytes) {
    toServer.add(bytes);
  }

  boolean canReachServer() {
    return !toServer.isEmpty() && reading && !gone;
  }

  /// The server reads what the client sent first.
  void reachServer() {
    byte[] bytes = toServer.remove();
    if (!closing) {
      input.input(bytes, 0, bytes.length);
    }
  }

  boolean canReachClient() {
    return !toClient.isEmpty();
  }

  /// What the client reads next; an empty array is the end.
  byte[] reachClient() {
    return toClient.remove();
  }

  /// Whether the operating system takes nothing from the server, for the client does not read.
  void clogged(boolean now) {
    clogged = now;
    if (!now && !gone) {
      lane.execute(this::leave);
    }
  }

  boolean isClogged() {
    return clogged;
  }

  /// The server learns that the connection is broken.
  void broken() {
    if (!gone) {
      gone = true;
      toServer.clear();
      output.clear();
      toClient.add(new byte[0]);
      lane.execute(stream::disconnected);
    }
  }

  boolean isGone() {
    return gone;
  }

  /// What is on its way to the client is lost.
  void lose() {
    toClient.clear();
  }

  /// The server's clock ticks.
  void tick() {
    if (!gone && !closing) {
      lane.execute(stream::tick);
    }
  }

  /// The server stops.
  void shutdown() {
    lane.execute(stream::shutdown);
  }

  /// Whether the server does not read from the client although nothing is in its way.
  boolean isPaused() {
    return !reading && !gone && !closing;
  }

  // ---- the server's end

  private void out(ByteArraySink sink, @Nullable Stanza stanza, long report) {
    if (closing || dropped || gone) {
      return;
    }
    output.add(new Output(sink.toByteArray(), stanza instanceof Message m ? m : null, report));
    waiting += sink.size();
    if (waiting > budget) {
      dropped = true;
      output.clear();
      waiting = 0;
      lane.execute(() -> {
        dropped = false;
        stream.overflowed();
      });
    } else if (!flushing) {
      flushing = true;
      lane.execute(this::flush);
    }
  }

  private void flush() {
    if (closing || gone) {
      return;
    }
    stream.flushing();
    flushing = false;
    if (!clogged) {
      leave();
    }
  }

  private void leave() {
    for (Output next = output.poll(); next != null; next = output.poll()) {
      waiting -= next.bytes.length;
      toClient.add(next.bytes);
      if (next.report != 0) {
        if (next.message != null) {
          ledger.leftUnmanaged(next.message);
        }
        stream.written(next.report);
      }
    }
    if (closing && !gone) {
      gone = true;
      toClient.add(new byte[0]);
      stream.outputEnded();
    }
  }

  @Override
  public void open(StreamOpening opening) {
    ByteArraySink sink = new ByteArraySink(256);
    StreamXml.writeOpen(opening, sink);
    out(sink, null, 0);
  }

  @Override
  public void write(Element element) {
    String name = element.name().name();
    enabled |= name.equals("enabled") || name.equals("resumed");
    String h = element.name().namespace().equals(SM) ? element.attribute("h") : null;
    if (h != null && managed != null) {
      ledger.counts(managed, Long.parseLong(h));
    }
    ByteArraySink sink = new ByteArraySink(256);
    StreamXml.writeElement(element, stream.namespace(), sink);
    out(sink, null, 0);
  }

  @Override
  public void closeStream() {
    ByteArraySink sink = new ByteArraySink(32);
    StreamXml.writeClose(sink);
    out(sink, null, 0);
  }

  @Override
  public void write(Stanza stanza) {
    put(stanza, 0);
  }

  private void put(Stanza stanza, long report) {
    if (!enabled) {
      ledger.mayGetLost(stanza.id());
    }
    ByteArraySink sink = new ByteArraySink(256);
    stanza.writeTo(sink);
    out(sink, stanza, report);
  }

  @Override
  public void deliver(ToStream.Deliver deliver) {
    if (queued.isEmpty()) {
      put(deliver.stanza(), deliver.report() ? deliver.number() : 0);
    } else {
      queued.add(deliver);
    }
  }

  @Override
  public void enqueue(Runnable task) {
    queued.add(task);
    lane.execute(this::drain);
  }

  /// Runs the first task, with the stanzas after it.
  private void drain() {
    Runnable task = (Runnable) queued.element();
    task.run();
    queued.remove();
    while (queued.peek() instanceof ToStream.Deliver deliver) {
      queued.remove();
      put(deliver.stanza(), deliver.report() ? deliver.number() : 0);
    }
  }

  @Override
  public void close() {
    if (!closing) {
      closing = true;
      if (!clogged) {
        leave();
      }
    }
  }

  @Override
  public void execute(Runnable task) {
    lane.execute(task);
  }

  @Override
  public void reading(boolean on) {
    reading = on;
  }

  @Override
  public long now() {
    return clock.millis();
  }

  // ---- a connection on this machine without TLS

  @Override
  public void startTls(TlsStart start) {
    throw new IllegalStateException("no TLS");
  }

  @Override
  public boolean canStartTls() {
    return false;
  }

  @Override
  public boolean secure() {
    return false;
  }

  @Override
  public byte @Nullable [] channelBinding(ChannelBinding kind) {
    return null;
  }

  @Override
  public InetAddress remoteAddress() {
    return InetAddress.getLoopbackAddress();
  }

  @Override
  public void received() {}
}
