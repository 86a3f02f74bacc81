package im.zonda.metric;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Number of lengths of time of each size: a value.
///
/// From 1 µs to 100 s a bucket is as wide as a tenth of the power of ten below it: 1 to 1.1 ms, 9.9
/// to 10 ms. Shorter ones are in the first bucket, longer ones in the last. A bucket has its upper
/// bound and not its lower one.
public final class TimingCounts {
  private static final long SHORTEST = 1_000;
  private static final int DECADES = 8;
  private static final int OF_DECADE = 90;

  /// The number of buckets.
  static final int BUCKETS = DECADES * OF_DECADE + 2;

  /// The upper bounds of the buckets that monitoring systems get, without the last, which has none.
  public static final List<Duration> BOUNDS =
      List.of(
          Duration.ofNanos(100_000),
          Duration.ofNanos(250_000),
          Duration.ofNanos(500_000),
          Duration.ofMillis(1),
          Duration.ofNanos(2_500_000),
          Duration.ofMillis(5),
          Duration.ofMillis(10),
          Duration.ofMillis(25),
          Duration.ofMillis(50),
          Duration.ofMillis(100),
          Duration.ofMillis(250),
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofSeconds(10));

  /// None.
  public static final TimingCounts NONE = new TimingCounts(new long[BUCKETS], 0);

  private final long[] counts;
  private final long nanos;
  private final long total;

  /// @param counts how many there are in each bucket; not copied
  /// @param nanos the sum of the lengths
  TimingCounts(long[] counts, long nanos) {
    this.counts = counts;
    this.nanos = nanos;
    long all = 0;
    for (long each : counts) {
      all += each;
    }
    this.total = all;
  }

  /// The counts of these buckets, as another process has them.
  ///
  /// @param buckets as [#buckets] gives them
  /// @param nanos the sum of the lengths, in ns
  /// @throws IllegalArgumentException if there is no such bucket, or a number is negative
  public static TimingCounts of(Map<Integer, Long> buckets, long nanos) {
    long[] counts = new long[BUCKETS];
    buckets.forEach((bucket, count) -> {
      if (bucket < 0 || bucket >= BUCKETS || count < 0) {
        throw new IllegalArgumentException("no counts of a timing");
      }
      counts[bucket] = count;
    });
    return new TimingCounts(counts, Math.max(0, nanos));
  }

  /// How many there are in each bucket that has some, in their order.
  public SortedMap<Integer, Long> buckets() {
    SortedMap<Integer, Long> some = new TreeMap<>();
    for (int i = 0; i < BUCKETS; i++) {
      if (counts[i] > 0) {
        some.put(i, counts[i]);
      }
    }
    return some;
  }

  /// The bucket of a length, in ns.
  static int bucketOf(long time) {
    if (time <= SHORTEST) {
      return 0;
    }
    long width = SHORTEST / 10;
    for (int first = 1; first < BUCKETS - 1; first += OF_DECADE) {
      if (time <= width * 100) {
        return first + (int) ((time - 1) / width) - 10;
      }
      width *= 10;
    }
    return BUCKETS - 1;
  }

  /// The upper bound of a bucket, in ns; of the last, which has none, the lower one.
  static long boundOf(int bucket) {
    if (bucket == 0) {
      return SHORTEST;
    }
    int index = Math.min(bucket, BUCKETS - 2) - 1;
    long width = SHORTEST / 10;
    for (int decade = index / OF_DECADE; decade > 0; decade--) {
      width *= 10;
    }
    return (index % OF_DECADE + 11) * width;
  }

  /// How many there are.
  public long count() {
    return total;
  }

  /// Their sum.
  public Duration sum() {
    return Duration.ofNanos(nanos);
  }

  /// How many are at most as long; exact for a bound of a bucket.
  public long atMost(Duration bound) {
    long limit = bound.toNanos();
    long all = 0;
    for (int i = 0; i < BUCKETS - 1 && boundOf(i) <= limit; i++) {
      all += counts[i];
    }
    return all;
  }

  /// The length that a part of them does not exceed: the upper bound of its bucket, at most a tenth
  /// too long. Zero if there are none.
  ///
  /// @param part from 0 to 1: 0.99 for the 99th percentile
  public Duration quantile(double part) {
    long wanted = Math.max(1, (long) Math.ceil(total * part));
    long seen = 0;
    for (int i = 0; i < BUCKETS; i++) {
      seen += counts[i];
      if (seen >= wanted) {
        return Duration.ofNanos(boundOf(i));
      }
    }
    return Duration.ZERO;
  }

  /// These and others.
  public TimingCounts plus(TimingCounts other) {
    return combine(other, 1);
  }

  /// Those that were added since `before`, counts of the same timing.
  public TimingCounts minus(TimingCounts before) {
    return combine(before, -1);
  }

  private TimingCounts combine(TimingCounts other, int sign) {
    long[] all = new long[BUCKETS];
    for (int i = 0; i < BUCKETS; i++) {
      all[i] = Math.max(0, counts[i] + sign * other.counts[i]);
    }
    return new TimingCounts(all, Math.max(0, nanos + sign * other.nanos));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TimingCounts same
        && nanos == same.nanos
        && Arrays.equals(counts, same.counts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counts) + Long.hashCode(nanos);
  }

  @Override
  public String toString() {
    return total + " in " + sum();
  }
}
