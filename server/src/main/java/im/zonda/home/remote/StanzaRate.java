package im.zonda.home.remote;

/// Counts the stanzas of one remote domain against a rate. Above it, after a burst, its streams are
/// not read from for a while; nothing is dropped. Safe for use by several threads.
final class StanzaRate {
  private static final long MICROS = 1_000_000;

  /// How much more may come at once, in microseconds at the rate.
  private static final long BURST = 5 * MICROS;

  /// Until when the stanzas so far last at the rate, in microseconds since 1970.
  private long until;

  /// Counts a stanza.
  ///
  /// @param perSecond the rate; 0 is no limit
  /// @param now milliseconds since 1970
  /// @return for how many milliseconds to read no more
  synchronized long count(int perSecond, long now) {
    if (perSecond <= 0) {
      return 0;
    }
    long micros = now * 1_000;
    // No more than the burst is owed when the clock is set back.
    until = Math.max(micros, Math.min(until, micros + 2 * BURST)) + MICROS / perSecond;
    long excess = until - micros - BURST;
    return excess <= 0 ? 0 : (excess + 999) / 1_000;
  }

  /// Whether it counts nothing any more at that time, in milliseconds since 1970.
  synchronized boolean isSpentBefore(long now) {
    return until < now * 1_000;
  }
}
