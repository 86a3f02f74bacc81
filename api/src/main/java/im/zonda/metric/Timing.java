package im.zonda.metric;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/// Lengths of time, counted in buckets ([TimingCounts]). Any thread may record and read; nothing is
/// locked or allocated.
public final class Timing {
  private static final int MOST_STRIPES = 8;

  /// Threads that record at the same time mostly have different arrays.
  private final AtomicLongArray[] stripes;

  private final LongAdder nanos = new LongAdder();

  /// A timing without records.
  public Timing() {
    int processors = Runtime.getRuntime().availableProcessors();
    int count = Math.min(MOST_STRIPES, Integer.highestOneBit(Math.max(1, 2 * processors - 1)));
    stripes = new AtomicLongArray[count];
    for (int i = 0; i < count; i++) {
      stripes[i] = new AtomicLongArray(TimingCounts.BUCKETS);
    }
  }

  /// Records a length of time, in ns; a negative one as 0.
  public void record(long time) {
    record(time, 1);
  }

  /// Records a length of time several times, in ns; a negative one as 0.
  public void record(long time, int times) {
    int stripe = (int) Thread.currentThread().threadId() & (stripes.length - 1);
    stripes[stripe].getAndAdd(TimingCounts.bucketOf(time), times);
    nanos.add(Math.max(0, time) * times);
  }

  /// Adds what another process has recorded.
  public void add(TimingCounts more) {
    more.buckets().forEach((bucket, times) -> stripes[0].getAndAdd(bucket, times));
    nanos.add(more.sum().toNanos());
  }

  /// What was recorded since the start.
  public TimingCounts counts() {
    long[] counts = new long[TimingCounts.BUCKETS];
    for (AtomicLongArray stripe : stripes) {
      for (int i = 0; i < counts.length; i++) {
        counts[i] += stripe.get(i);
      }
    }
    return new TimingCounts(counts, nanos.sum());
  }
}
