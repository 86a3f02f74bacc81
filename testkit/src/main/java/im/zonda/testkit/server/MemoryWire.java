package im.zonda.testkit.server;

import im.zonda.link.ToStream;
import im.zonda.module.Scheduler;
import im.zonda.stanza.Stanza;
import im.zonda.stream.ByteStream;
import im.zonda.stream.Stream;
import im.zonda.stream.StreamOpening;
import im.zonda.stream.StreamProfile;
import im.zonda.stream.StreamXml;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.Wire;
import im.zonda.timer.PeriodicTask;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// A connection to a server in the same process, without sockets. The server's end runs on the
/// [Pump], which is the stream's thread.
final class MemoryWire implements Wire, LocalTransport {
  private static final Duration TICK = Duration.ofSeconds(1);

  private final Pump pump;
  private final FakeClock clock;
  private final BytePipe toClient = new BytePipe();
  private final OutputStream fromClient = new FromClient();

  /// What the session has sent: stanzas, and tasks of the stream between them.
  private final Queue<Object> outgoing = new ConcurrentLinkedQueue<>();

  private final Queue<byte[]> unread = new ArrayDeque<>();
  private final ByteStream input;
  private final Stream stream;
  private final Scheduler.Cancellable ticking;
  private boolean reading = true;
  private boolean closed;

  /// A task of the stream runs: what it writes goes out at once.
  private boolean inTask;

  MemoryWire(Pump pump, FakeClock clock, StreamProfile profile) {
    this.pump = pump;
    this.clock = clock;
    this.input = new ByteStream(profile, this);
    this.stream = input.stream();
    this.ticking = PeriodicTask.start(clock, TICK, stream::tick);
  }

  // ---- the client's end

  @Override
  public InputStream in() {
    return toClient;
  }

  @Override
  public OutputStream out() {
    return fromClient;
  }

  @Override
  public void startTls(String domain) throws IOException {
    throw new IOException("there is no TLS in memory");
  }

  @Override
  public @Nullable SSLSession tls() {
    return null;
  }

  @Override
  public void abort() {
    pump.execute(this::gone);
  }

  private void gone() {
    closed = true;
    ticking.cancel();
    toClient.end();
    stream.disconnected();
  }

  private void received(byte[] bytes) {
    if (reading) {
      input.input(bytes, 0, bytes.length);
    } else {
      unread.add(bytes);
    }
  }

  // ---- the server's end

  @Override
  public void open(StreamOpening opening) {
    ByteArraySink sink = new ByteArraySink(256);
    StreamXml.writeOpen(opening, sink);
    put(sink);
  }

  @Override
  public void write(Element element) {
    flush();
    ByteArraySink sink = new ByteArraySink(256);
    StreamXml.writeElement(element, stream.namespace(), sink);
    put(sink);
  }

  @Override
  public void closeStream() {
    flush();
    ByteArraySink sink = new ByteArraySink(32);
    StreamXml.writeClose(sink);
    put(sink);
  }

  @Override
  public void write(Stanza stanza) {
    flush();
    encode(stanza);
  }

  @Override
  public void deliver(ToStream.Deliver deliver) {
    outgoing.add(deliver);
    pump.execute(this::flushAll);
  }

  @Override
  public void enqueue(Runnable task) {
    outgoing.add(task);
    pump.execute(this::flushAll);
  }

  /// Writes the stanzas before the next task.
  private void flush() {
    while (!inTask && outgoing.peek() instanceof ToStream.Deliver deliver) {
      outgoing.remove();
      encode(deliver.stanza());
      if (deliver.report() && !closed) {
        stream.written(deliver.number());
      }
    }
  }

  private void encode(Stanza stanza) {
    ByteArraySink sink = new ByteArraySink(256);
    stanza.writeTo(sink);
    put(sink);
  }

  private void flushAll() {
    flush();
    while (outgoing.poll() instanceof Runnable task) {
      inTask = true;
      task.run();
      inTask = false;
      flush();
    }
    stream.flushing();
  }

  private void put(ByteArraySink sink) {
    if (!closed) {
      toClient.put(sink.toByteArray());
    }
  }

  @Override
  public void execute(Runnable task) {
    pump.execute(task);
  }

  /// Closes both ends; called by the server at the end of the stream, or by the client.
  @Override
  public void close() {
    pump.execute(this::gone);
  }

  @Override
  public void reading(boolean on) {
    reading = on;
    while (reading && !unread.isEmpty()) {
      received(unread.remove());
    }
  }

  @Override
  public long now() {
    return clock.millis();
  }

  private final class FromClient extends OutputStream {
    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      byte[] copy = Arrays.copyOfRange(bytes, offset, offset + length);
      pump.execute(() -> received(copy));
    }
  }
}
