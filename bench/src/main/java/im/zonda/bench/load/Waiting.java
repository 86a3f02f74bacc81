package im.zonda.bench.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for times and for the end of what is under way.
public final class Waiting {
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private Waiting() {}

  /// Waits until a time.
  ///
  /// @param nanos by [System#nanoTime]
  /// @throws InterruptedException if the run is ended
  public static void until(long nanos) throws InterruptedException {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException("the run is ended");
      }
    }
  }

  /// Waits until a condition holds, at most for the given seconds.
  ///
  /// @return whether it holds
  /// @throws InterruptedException if the run is ended
  public static boolean until(BooleanSupplier condition, double seconds)
      throws InterruptedException {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      until(System.nanoTime() + STEP_NANOS);
    }
    return true;
  }
}
