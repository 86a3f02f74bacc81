package im.zonda.storage.sql.log;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/// Issues the ids of the message log: microseconds since 1970, strictly increasing.
///
/// To keep this when the clock is set back across a restart, the database records a bound above all
/// issued ids. The bound is raised before it is reached; after a crash, ids continue from it.
public final class IdClock {
  /// Distance of a new bound from the last id, in microseconds.
  private static final long AHEAD = 2_000_000;

  private final InstantSource time;
  private final AtomicLong last;
  private volatile long bound;

  /// Creates a clock whose first id is at least `next`.
  public IdClock(InstantSource time, long next) {
    this.time = time;
    this.last = new AtomicLong(next - 1);
    this.bound = next;
  }

  /// The next id.
  public long next() {
    long now = micros(time.instant());
    return last.updateAndGet(before -> Math.max(before + 1, now));
  }

  /// Whether the bound should be raised soon.
  boolean lowAfter(long id) {
    return id > bound - AHEAD / 2;
  }

  /// Whether the bound should be raised soon.
  boolean low() {
    return lowAfter(last.get());
  }

  /// A bound for the database to record. [#reserved] follows when it is durable.
  long wanted() {
    return last.get() + AHEAD;
  }

  /// A bound above the recorded one. Recording it without [#reserved] after it does no harm.
  long beyond() {
    return Math.max(wanted(), bound + 1);
  }

  /// The exact bound, for a clean stop.
  long exact() {
    return last.get() + 1;
  }

  /// The database knows this bound.
  void reserved(long newBound) {
    bound = newBound;
  }

  /// The time in microseconds since 1970.
  public static long micros(Instant instant) {
    return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
  }
}
