package im.zonda.net.http;

import im.zonda.http.HttpBody;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The body of the request that a connection handles: the event loop adds what comes, the handler's
/// thread takes it. Once it has asked for bytes, the socket is read while it handles those that
/// have come: at most [#AHEAD_BYTES] and what one read of the socket brings wait here.
final class RequestBody implements HttpBody {
  /// A client that sends less than this in [#slowAfter] is too slow.
  private static final long MIN_BYTES = 65_536;

  /// The socket is read until as much waits, and again when half of it is taken: so the two threads
  /// seldom wake each other up.
  static final int AHEAD_BYTES = 131_072;

  private final long length;
  private final long slowAfter;
  private final Runnable request;

  // No monitor: a virtual thread that waits on one takes another thread to be woken up.
  private final Lock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private final Deque<ByteBuf> parts = new ArrayDeque<>();
  private int bytes;
  private boolean ended;

  /// The event loop reads the socket or has been asked to.
  private boolean reading;

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
  void add(ByteBuf part) {
    lock.lock();
    try {
      if (released || !part.isReadable()) {
        part.release();
        return;
      }
      parts.add(part);
      bytes += part.readableBytes();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// All has come. On the event loop.
  void end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Nothing more comes. Any thread.
  void fail(String reason) {
    lock.lock();
    try {
      if (failure == null) {
        failure = reason;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Whether all has come.
  boolean hasEnded() {
    lock.lock();
    try {
      return ended;
    } finally {
      lock.unlock();
    }
  }

  /// Whether the handler has asked for bytes.
  boolean isTouched() {
    lock.lock();
    try {
      return touched;
    } finally {
      lock.unlock();
    }
  }

  /// A read of the socket is over.
  ///
  /// @return whether the event loop is to read on
  boolean readsOn() {
    lock.lock();
    try {
      reading = reading && isOpen() && bytes < AHEAD_BYTES;
      return reading;
    } finally {
      lock.unlock();
    }
  }

  private boolean isOpen() {
    return !ended && !released && failure == null;
  }

  /// Drops what has not been read, and all that comes later.
  void release() {
    lock.lock();
    try {
      released = true;
      parts.forEach(ByteBuf::release);
      parts.clear();
      bytes = 0;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    if (count == 0) {
      return 0;
    }
    if (asks()) {
      request.run();
    }
    lock.lock();
    try {
      await();
      if (parts.isEmpty()) {
        if (failure != null) {
          throw new IOException(failure);
        }
        return -1;
      }
      return take(target, offset, count);
    } finally {
      lock.unlock();
    }
  }

  /// Whether the event loop is to be asked for more.
  private boolean asks() {
    lock.lock();
    try {
      touched = true;
      boolean asks = !reading && isOpen() && bytes < AHEAD_BYTES / 2;
      reading |= asks;
      return asks;
    } finally {
      lock.unlock();
    }
  }

  private int take(byte[] target, int offset, int count) {
    int taken = 0;
    while (taken < count && !parts.isEmpty()) {
      ByteBuf part = parts.element();
      int size = Math.min(count - taken, part.readableBytes());
      part.readBytes(target, offset + taken, size);
      taken += size;
      if (!part.isReadable()) {
        parts.remove().release();
      }
    }
    bytes -= taken;
    received += taken;
    return taken;
  }

  /// Waits for bytes, the end or a failure, with the lock.
  private void await() throws IOException {
    long start = System.nanoTime();
    while (parts.isEmpty() && !ended && failure == null) {
      long allowed = slowAfter + received / MIN_BYTES * slowAfter;
      long left = allowed - waited - (System.nanoTime() - start);
      if (left <= 0) {
        failure = "the client sends its body too slowly";
        break;
      }
      try {
        changed.awaitNanos(left);
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
