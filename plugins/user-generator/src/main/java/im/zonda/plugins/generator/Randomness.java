package im.zonda.plugins.generator;

import java.util.List;

/// Numbers that follow from a seed: the same at every run, on every machine.
///
/// @param seed the seed
record Randomness(long seed) {
  private static final long STEP = 0x9e37_79b9_7f4a_7c15L;

  /// A number from 0 to `bound` - 1.
  ///
  /// @param about what it is about, so that there are many sequences
  /// @param index its place in the sequence
  int below(int bound, int about, long index) {
    long mixed = mix(mix(mix(seed + STEP) + about * STEP) + index * STEP);
    return (int) Long.remainderUnsigned(mixed, bound);
  }

  /// The finalizer of SplitMix64.
  private static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d0_49bb_1331_11ebL;
    return z ^ (z >>> 31);
  }

  /// One of some.
  <T> T oneOf(List<T> some, int about, long index) {
    return some.get(below(some.size(), about, index));
  }

  /// Shuffles numbers (Fisher and Yates).
  void shuffle(int[] numbers, int about, long index) {
    for (int i = numbers.length - 1; i > 0; i--) {
      int other = below(i + 1, about, index * numbers.length + i);
      int kept = numbers[i];
      numbers[i] = numbers[other];
      numbers[other] = kept;
    }
  }
}
