package im.zonda.module.addressing;

/// The copies of stanzas that an account has recently sent to several addresses, over windows of
/// ten seconds. Confined to the mailbox of the account.
final class CopyRate {
  private static final long WINDOW_MILLIS = 10_000;

  private long windowStart;
  private int used;

  /// Counts copies; returns false, and counts nothing, if there would be more than the limit.
  ///
  /// @param limit copies per window; 0 is no limit
  boolean tryAcquire(int copies, long nowMillis, int limit) {
    if (limit == 0) {
      return true;
    }
    if (nowMillis - windowStart >= WINDOW_MILLIS || nowMillis < windowStart) {
      windowStart = nowMillis;
      used = 0;
    }
    if (used + copies > limit) {
      return false;
    }
    used += copies;
    return true;
  }
}
