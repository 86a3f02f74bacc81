package im.zonda.app.status;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/// Commits a second, from a count that is read at the start of each [#PERIOD].
public final class CommitRate {
  /// How often [#sample] must be called.
  public static final Duration PERIOD = Duration.ofSeconds(10);

  private record Sample(Instant time, long count) {}

  private final LongSupplier commits;
  private final InstantSource clock;
  private Sample last;
  private Sample beforeLast;

  /// @param commits the number of commits since the start
  public CommitRate(LongSupplier commits, InstantSource clock) {
    this.commits = commits;
    this.clock = clock;
    this.last = new Sample(clock.instant(), commits.getAsLong());
    this.beforeLast = last;
  }

  /// Begins another period.
  public synchronized void sample() {
    beforeLast = last;
    last = new Sample(clock.instant(), commits.getAsLong());
  }

  /// The rate over the last complete period and the current one; 0 in the first instant.
  public synchronized double perSecond() {
    long count = commits.getAsLong() - beforeLast.count;
    long millis = Duration.between(beforeLast.time, clock.instant()).toMillis();
    return millis <= 0 ? 0 : count * 1_000.0 / millis;
  }
}
