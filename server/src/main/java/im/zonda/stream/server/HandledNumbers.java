package im.zonda.stream.server;

import java.util.BitSet;

/// The numbers of received stanzas that have been handled, which are reported in any order. Not
/// thread-safe.
final class HandledNumbers {
  private static final int COMPACT = 4_096;

  /// Handled numbers that are higher than `base`, as offsets.
  private final BitSet beyond = new BitSet();

  private long base;
  private int run;

  /// Adds a number.
  void add(long number) {
    long offset = number - base - 1;
    if (offset < run) {
      return;
    }
    beyond.set(Math.toIntExact(offset));
    run = beyond.nextClearBit(run);
    if (run >= COMPACT) {
      BitSet rest = beyond.get(run, Math.max(run, beyond.length()));
      beyond.clear();
      beyond.or(rest);
      base += run;
      run = 0;
    }
  }

  /// How many have been handled without a gap.
  long count() {
    return base + run;
  }
}
