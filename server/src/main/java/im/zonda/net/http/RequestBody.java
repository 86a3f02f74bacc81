package im.zonda.net.http;

import im.zonda.http.HttpBody;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The body of the request that a connection handles: the event loop adds what comes, the handler's
/// thread takes it and asks for more. At most one read of the socket waits here.
final class RequestBody implements HttpBody {
  /// A client that sends less than this in [#slowAfter] is too slow.
  private static final long MIN_BYTES = 65_536;

  private final long length;
  private final long slowAfter;
  private final Runnable request;

  // Guarded by this object's monitor.
  private final Deque<ByteBuf> parts = new ArrayDeque<>();
  private boolean ended;
  private boolean waiting;
  private boolean touched;
  private boolean released;
  private @Nullable String failure;

  // Of the handler's thread.
  private long waited;
  private long received;

  /// @param length the announced length, or -1
  /// @param time how long 64 KiB may take
  /// @param request asks for more, on any thread; the first call also asks the client to go on
  RequestBody(long length, Duration time, Runnable request) {
    this.length = length;
    this.slowAfter = time.toNanos();
    this.request = request;
  }

  @Override
  public long length() {
    return length;
  }

  /// Adds bytes, which are released once they are read. On the event loop.
  synchronized void add(ByteBuf part) {
    if (released || !part.isReadable()) {
      part.release();
      return;
    }
    parts.add(part);
    notifyAll();
  }

  /// All has come. On the event loop.
  synchronized void end() {
    ended = true;
    notifyAll();
  }

  /// Nothing more comes. Any thread.
  synchronized void fail(String reason) {
    if (failure == null) {
      failure = reason;
    }
    notifyAll();
  }

  /// Whether all has come.
  synchronized boolean hasEnded() {
    return ended;
  }

  /// Whether the handler has asked for bytes.
  synchronized boolean isTouched() {
    return touched;
  }

  /// Whether a reader waits, so that the event loop must read on.
  synchronized boolean isWaiting() {
    return waiting && parts.isEmpty() && !ended;
  }

  /// Drops what has not been read, and all that comes later.
  synchronized void release() {
    released = true;
    parts.forEach(ByteBuf::release);
    parts.clear();
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    if (count == 0) {
      return 0;
    }
    boolean ask;
    synchronized (this) {
      ask = parts.isEmpty() && !ended && failure == null;
      touched = true;
      waiting = ask;
    }
    if (ask) {
      request.run();
    }
    synchronized (this) {
      await();
      waiting = false;
      ByteBuf part = parts.peek();
      if (part == null) {
        if (failure != null) {
          throw new IOException(failure);
        }
        return -1;
      }
      int size = Math.min(count, part.readableBytes());
      part.readBytes(target, offset, size);
      if (!part.isReadable()) {
        parts.remove().release();
      }
      received += size;
      return size;
    }
  }

  /// Waits for bytes, the end or a failure.
  private synchronized void await() throws IOException {
    long start = System.nanoTime();
    while (parts.isEmpty() && !ended && failure == null) {
      long allowed = slowAfter + received / MIN_BYTES * slowAfter;
      long left = allowed - waited - (System.nanoTime() - start);
      if (left <= 0) {
        failure = "the client sends its body too slowly";
        break;
      }
      try {
        wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("the server stops", e);
      }
    }
    waited += System.nanoTime() - start;
  }

  /// Reads and forgets the rest; false if it is too much.
  boolean discard(int most) throws IOException {
    byte[] part = new byte[4_096];
    int size = 0;
    while (size <= most) {
      int more = read(part, 0, part.length);
      if (more < 0) {
        return true;
      }
      size += more;
    }
    return false;
  }
}
