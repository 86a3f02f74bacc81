package im.zonda.storage.memory;

import im.zonda.store.StoreException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The data that the stores share, one call at a time. Any thread may call.
final class MemoryDatabase {
  private final MemoryData data;
  private final InstantSource time;
  private volatile boolean closed;
  private volatile Runnable beforeCall = () -> {};

  MemoryDatabase(MemoryData data, InstantSource time) {
    this.data = data;
    this.time = time;
  }

  /// Runs `action` before each later call, on the caller's thread. What it throws, the call throws.
  void beforeCall(Runnable action) {
    beforeCall = action;
  }

  /// Makes later calls fail.
  void close() {
    closed = true;
  }

  /// Runs a call alone, unless the stores are closed.
  <T extends @Nullable Object> T call(Supplier<T> call) {
    if (closed) {
      throw new StoreException(StoreException.Category.CLOSED, "the store is closed", null);
    }
    beforeCall.run();
    synchronized (data) {
      return call.get();
    }
  }

  MemoryData data() {
    return data;
  }

  /// An id of the message log: microseconds since 1970, larger than every one before.
  long nextId() {
    Instant now = time.instant();
    synchronized (data) {
      long micros = now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
      data.lastId = Math.max(data.lastId + 1, micros);
      return data.lastId;
    }
  }
}
