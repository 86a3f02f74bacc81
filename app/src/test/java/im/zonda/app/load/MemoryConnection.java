package im.zonda.app.load;

import im.zonda.bench.room.RoomClient;
import im.zonda.link.ToStream;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stream.ByteStream;
import im.zonda.stream.Stream;
import im.zonda.stream.StreamOpening;
import im.zonda.stream.StreamXml;
import im.zonda.testkit.server.LocalTransport;
import im.zonda.xml.Element;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/// A connection without a socket: the server's stream and the client at its other end, on the same
/// [MemoryLoop]. It does with what is written what the network's connections do, up to the system
/// call: it collects the bytes of a turn and hands them on at its end.
final class MemoryConnection implements LocalTransport, RoomClient.Line {
  private static final AtomicIntegerFieldUpdater<MemoryConnection> QUEUED =
      AtomicIntegerFieldUpdater.newUpdater(MemoryConnection.class, "queued");

  private final MemoryLoop loop;
  private final RoomClient client;
  private final ByteStream input;
  private final Stream stream;
  private @Nullable MemorySink pending;
  private long report;
  private @Nullable Queue<byte[]> unread;
  private boolean closed;

  /// Whether the client gets to see what comes. Counting is cheap, reading is not.
  private volatile boolean read = true;

  private volatile int queued;

  MemoryConnection(MemoryLoop loop, RoomClient client) {
    this.loop = loop;
    this.client = client;
    this.input = new ByteStream(loop.streams().profile(), this);
    this.stream = input.stream();
  }

  /// Begins, on the loop.
  void begin() {
    loop.add(this);
    client.connected(this);
  }

  /// Whether the client reads from now on; what it does not read is lost to it.
  void read(boolean on) {
    read = on;
  }

  /// Looks at the time; whether this connection has ended.
  boolean tick() {
    stream.tick();
    return closed;
  }

  // ---- the client's end

  @Override
  public void write(byte[] bytes) {
    loop.execute(() -> received(bytes));
  }

  private void received(byte[] bytes) {
    if (unread != null) {
      unread.add(bytes);
    } else if (!closed) {
      input.input(bytes, 0, bytes.length);
    }
  }

  // ---- the server's end

  @Override
  public void open(StreamOpening opening) {
    StreamXml.writeOpen(opening, sink());
  }

  @Override
  public void write(Element element) {
    StreamXml.writeElement(element, stream.namespace(), sink());
  }

  @Override
  public void closeStream() {
    StreamXml.writeClose(sink());
  }

  private MemorySink sink() {
    MemorySink sink = pending;
    if (sink == null) {
      sink = loop.dirty(this);
      pending = sink;
    }
    return sink;
  }

  @Override
  public void write(Stanza stanza) {
    if (!closed) {
      stanza.writeTo(sink());
    }
  }

  @Override
  public void deliver(ToStream.Deliver deliver) {
    if (queued == 0 && loop.isHere()) {
      encode(deliver);
    } else {
      enqueue(() -> encode(deliver));
    }
  }

  @Override
  public void enqueue(Runnable task) {
    QUEUED.incrementAndGet(this);
    loop.execute(() -> {
      try {
        task.run();
      } finally {
        // What is sent meanwhile comes behind it.
        QUEUED.decrementAndGet(this);
      }
    });
  }

  private void encode(ToStream.Deliver deliver) {
    if (closed) {
      return;
    }
    deliver.stanza().writeTo(sink());
    if (deliver.stanza() instanceof Message) {
      loop.messages().increment();
    }
    if (deliver.report()) {
      report = deliver.number();
    }
  }

  /// Hands on what this turn has written.
  void flush() {
    stream.flushing();
    MemorySink sink = pending;
    long left = report;
    pending = null;
    report = 0;
    if (sink != null) {
      if (read) {
        client.take(sink.bytes(), 0, sink.size());
      }
      loop.free(sink);
    }
    if (left != 0) {
      stream.written(left);
    }
  }

  @Override
  public void execute(Runnable task) {
    loop.execute(task);
  }

  /// Either end closes.
  @Override
  public void close() {
    loop.execute(() -> {
      if (!closed) {
        closed = true;
        stream.disconnected();
        client.disconnected("the connection has ended");
      }
    });
  }

  @Override
  public void reading(boolean on) {
    Queue<byte[]> waiting = unread;
    if (!on) {
      unread = waiting == null ? new ArrayDeque<>() : waiting;
    } else if (waiting != null) {
      unread = null;
      for (byte[] bytes : waiting) {
        received(bytes);
      }
    }
  }

  @Override
  public long now() {
    return loop.now();
  }
}
