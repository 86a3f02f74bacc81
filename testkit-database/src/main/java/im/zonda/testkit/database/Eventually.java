package im.zonda.testkit.database;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Waits for what another thread or process brings about and does not report. The thread sleeps
/// between two looks, because what it waits for needs the processor.
public final class Eventually {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private Eventually() {}

  /// Something that will hold.
  ///
  /// @param <E> what the look may throw
  @FunctionalInterface
  public interface Condition<E extends Exception> {
    boolean holds() throws E;
  }

  /// Returns when the condition holds.
  ///
  /// @param what the condition in words, for the failure
  /// @throws AssertionError if it does not hold within a minute, or the thread is interrupted
  public static <E extends Exception> void await(String what, Condition<E> condition) throws E {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      if (Thread.currentThread().isInterrupted()) {
        throw new AssertionError("interrupted while waiting: " + what);
      }
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("does not come true: " + what);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
