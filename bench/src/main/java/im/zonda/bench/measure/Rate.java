package im.zonda.bench.measure;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Moments that follow each other at a fixed rate, whatever happens meanwhile.
public final class Rate {
  private final long start;
  private final double nanos;
  private long turns;

  /// From now on, so often in a second.
  public Rate(double perSecond) {
    start = System.nanoTime();
    nanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
  }

  /// When it began, by [System#nanoTime].
  public long start() {
    return start;
  }

  /// Waits for the next moment if it is still to come, and returns it.
  public long next() {
    long due = start + (long) (nanos * turns++);
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    return due;
  }

  /// Waits so long.
  public static void pause(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
