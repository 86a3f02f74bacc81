package im.zonda.storage.sql.log;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/// Gives out the ids of the message log: microseconds since 1970, each larger than the one before.
///
/// So that this holds when the clock goes back across a restart, the database knows a bound that no
/// id given out has reached; it is moved ahead in time, and after a crash ids go on from there.
public final class IdClock {
  /// How far the bound is moved beyond the last id, in microseconds.
  private static final long AHEAD = 2_000_000;

  private final InstantSource time;
  private final AtomicLong last;
  private volatile long bound;

  /// Starts after all ids below `next`.
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

  /// Whether the bound should be moved soon.
  boolean lowAfter(long id) {
    return id > bound - AHEAD / 2;
  }

  /// Whether the bound should be moved soon.
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

  /// That time in microseconds since 1970.
  public static long micros(Instant instant) {
    return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
  }
}
