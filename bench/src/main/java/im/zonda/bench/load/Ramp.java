package im.zonda.bench.load;

import im.zonda.bench.xmpp.Failures;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Does something for each of many, a few at a time.
///
/// @param atATime how many at the same time
public record Ramp(Load load, int atATime) {
  private static final int PATIENCE_SECONDS = 120;

  /// Returns when all have been done.
  ///
  /// @param what for the person who waits
  /// @throws IOException if one fails, or none ends for two minutes
  public <T> void each(
      List<T> items, long total, String what, Function<T, CompletableFuture<?>> action)
      throws IOException, InterruptedException {
    Semaphore free = new Semaphore(atATime);
    AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
    int done = 0;
    for (T item : items) {
      if (failed.get() != null) {
        break;
      }
      acquire(free, 1, what);
      var _ =
          action
              .apply(item)
              .whenComplete((_, failure) -> {
                if (failure != null) {
                  failed.compareAndSet(null, failure);
                }
                free.release();
              });
      load.progress(++done, total, what);
    }
    acquire(free, atATime, what);
    Throwable failure = failed.get();
    if (failure != null) {
      throw new IOException(what + ": one could not: " + Failures.describe(failure), failure);
    }
  }

  private static void acquire(Semaphore free, int permits, String what)
      throws IOException, InterruptedException {
    if (!free.tryAcquire(permits, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException(what + ": none could for two minutes");
    }
  }
}
