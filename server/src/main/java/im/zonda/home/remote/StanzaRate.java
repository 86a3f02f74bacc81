package im.zonda.home.remote;

/// Counts the stanzas of one remote domain against a rate. Above it, after a burst, its streams are
/// not read from for a while; nothing is dropped. Safe for use by several threads.
final class StanzaRate {
  private static final long MICROS = 1_000_000;

  /// The burst above the rate, in microseconds at the rate.
  private static final long BURST = 5 * MICROS;

  /// Until when the rate is used up by the stanzas so far, in microseconds since 1970.
  private long until;

  /// Counts a stanza.
  ///
  /// @param perSecond the rate; 0 is no limit
  /// @param now milliseconds since 1970
  /// @return for how many milliseconds to stop reading
  synchronized long count(int perSecond, long now) {
    if (perSecond <= 0) {
      return 0;
    }
    long micros = now * 1_000;
    // If the clock is set back, the pause is not longer than the burst.
    until = Math.max(micros, Math.min(until, micros + 2 * BURST)) + MICROS / perSecond;
    long excess = until - micros - BURST;
    return excess <= 0 ? 0 : (excess + 999) / 1_000;
  }

  /// Whether earlier stanzas no longer count at that time, in milliseconds since 1970.
  synchronized boolean isSpentBefore(long now) {
    return until < now * 1_000;
  }
}
