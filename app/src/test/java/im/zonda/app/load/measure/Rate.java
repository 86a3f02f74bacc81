package im.zonda.app.load.measure;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Points in time at a fixed rate, which do not shift when the caller is late.
public final class Rate {
  private final long start;
  private final double nanos;
  private long turns;

  /// @param perSecond the rate, starting now
  public Rate(double perSecond) {
    start = System.nanoTime();
    nanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
  }

  /// The start, by [System#nanoTime].
  public long start() {
    return start;
  }

  /// Waits for the next point in time, if it is not over, and returns it.
  public long next() {
    long due = start + (long) (nanos * turns++);
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    return due;
  }

  /// Waits for that long.
  public static void pause(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
