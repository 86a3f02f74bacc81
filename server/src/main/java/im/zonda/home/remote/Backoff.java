package im.zonda.home.remote;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// Delays between attempts to reach another server: each about twice as long as the one before.
///
/// @param first the longest delay after one failure
/// @param most the longest of all delays
/// @param random spreads the attempts for many domains that failed at the same time
record Backoff(Duration first, Duration most, RandomGenerator random) {
  private static final int MAX_DOUBLINGS = 20;

  /// Delays between one second and about a minute.
  static Backoff standard(RandomGenerator random) {
    return new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(60), random);
  }

  /// The delay after `failures` failures without a success: at least half of the longest one.
  Duration after(int failures) {
    long longest = first.toMillis() << Math.min(Math.max(0, failures - 1), MAX_DOUBLINGS);
    long bounded = Math.min(longest, most.toMillis());
    return Duration.ofMillis(bounded - (long) (random.nextDouble() * bounded / 2));
  }
}
