package im.zonda.net.socks;

import java.util.concurrent.TimeUnit;

/// A bound of bytes in a second: a token bucket that holds what accrues in a quarter of a second.
/// Bytes are granted in the order of the calls. Safe for use by several threads.
final class Bandwidth {
  private static final long BURST_NANOS = TimeUnit.SECONDS.toNanos(1) / 4;

  private final long bytesPerSecond;
  private long paidUntil = Long.MIN_VALUE;

  /// @param bytesPerSecond 0 is no limit
  Bandwidth(long bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /// Takes `bytes` out of the bucket, whose level may become negative.
  ///
  /// @param now nanoseconds from any origin, never going back
  /// @return how many nanoseconds the caller has to wait before it uses them
  synchronized long take(int bytes, long now) {
    if (bytesPerSecond == 0) {
      return 0;
    }
    long earliest = now - BURST_NANOS;
    long from = paidUntil == Long.MIN_VALUE || paidUntil - earliest < 0 ? earliest : paidUntil;
    paidUntil = from + bytes * TimeUnit.SECONDS.toNanos(1) / bytesPerSecond;
    return Math.max(0, paidUntil - now);
  }
}
