package im.zonda.plugins.webhooks;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// Delays between attempts: each twice the one before, up to a bound, and then a random time from
/// half of that to all of it, so that many do not come back at once.
final class RetryDelay {
  private final RandomGenerator random;
  private int failures;

  RetryDelay(RandomGenerator random) {
    this.random = random;
  }

  /// The attempt has succeeded.
  void reset() {
    failures = 0;
  }

  /// How many attempts have failed since one has succeeded.
  int failures() {
    return failures;
  }

  /// The attempt has failed: the delay until the next one.
  Duration next(Duration first, Duration most) {
    long delay = first.toMillis();
    for (int i = 0; i < failures && delay < most.toMillis(); i++) {
      delay *= 2;
    }
    failures++;
    delay = Math.max(1, Math.min(delay, most.toMillis()));
    return Duration.ofMillis(delay - random.nextLong(delay / 2 + 1));
  }
}
