package im.zonda.metric;

import java.util.concurrent.atomic.LongAdder;

/// A number that only grows. Any thread may count and read.
public final class Counter {
  private final LongAdder sum = new LongAdder();

  /// Counts one.
  public void increment() {
    sum.increment();
  }

  /// Counts several.
  ///
  /// @param more not negative
  public void add(long more) {
    sum.add(more);
  }

  /// The count since the start.
  public long count() {
    return sum.sum();
  }
}
