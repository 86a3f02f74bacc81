package im.zonda.module.muc.room;

/// A rate limit over windows of ten seconds, for one session or user. Not thread-safe.
public final class RateLimit {
  private static final long WINDOW_MILLIS = 10_000;

  /// Times the allowed rate from which stanzas are rejected instead of delayed.
  private static final int ABUSE = 10;

  private static final long MAX_DELAY_MILLIS = 1_000;

  /// Returned by [#delay] when the rate is so high that the stanza is to be rejected.
  public static final long EXCEEDED = -1;

  private long windowStart;
  private int usedInWindow;

  // When everything counted by [#delay] would have arrived at the allowed rate.
  private long paidUntil;

  /// Whether nothing counted here still affects later calls.
  public boolean isIdle(long nowMillis) {
    return nowMillis - windowStart >= WINDOW_MILLIS && paidUntil <= nowMillis;
  }

  /// Counts here what was counted there: of two windows that overlap, the fuller one applies.
  void add(RateLimit other) {
    if (Math.abs(other.windowStart - windowStart) < WINDOW_MILLIS) {
      usedInWindow = Math.max(usedInWindow, other.usedInWindow);
      windowStart = Math.max(windowStart, other.windowStart);
    } else if (other.windowStart > windowStart) {
      usedInWindow = other.usedInWindow;
      windowStart = other.windowStart;
    }
    paidUntil = Math.max(paidUntil, other.paidUntil);
  }

  /// Counts one stanza and returns how long its sender is to be delayed. Above the limit, the delay
  /// slows the sender down to the allowed rate; at ten times the rate nothing is counted and the
  /// stanza is to be rejected.
  ///
  /// @param limit stanzas per window, as a burst or spread; 0 is no limit
  /// @return milliseconds, 0 within the limit, or [#EXCEEDED]
  public long delay(long nowMillis, int limit) {
    if (limit == 0) {
      return 0;
    }
    long paid = Math.max(paidUntil, nowMillis) + Math.max(1, WINDOW_MILLIS / limit);
    long late = paid - nowMillis - WINDOW_MILLIS;
    if (late > (ABUSE - 1) * WINDOW_MILLIS) {
      return EXCEEDED;
    }
    paidUntil = paid;
    return Math.clamp(late, 0, MAX_DELAY_MILLIS);
  }

  /// Counts one stanza; returns false, and counts nothing, if the window's limit is reached.
  ///
  /// @param limit stanzas per window; 0 is no limit
  public boolean tryAcquire(long nowMillis, int limit) {
    if (limit == 0) {
      return true;
    }
    if (nowMillis - windowStart >= WINDOW_MILLIS) {
      windowStart = nowMillis;
      usedInWindow = 0;
    }
    if (usedInWindow >= limit) {
      return false;
    }
    usedInWindow++;
    return true;
  }
}
