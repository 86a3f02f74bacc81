package im.zonda.bench.trace;

/// Random numbers by SplitMix64 (Steele, Lea, Flood 2014), which is written here so that a seed
/// gives the same numbers on each run time. Each pair of kind and index has numbers of its own: a
/// change of one count does not change the others.
public final class TraceRandom {
  private static final long GAMMA = 0x9e3779b97f4a7c15L;

  private long state;

  /// @param kind what the numbers are for
  /// @param index which one of that kind
  public TraceRandom(long seed, long kind, long index) {
    state = mix(mix(mix(seed + GAMMA) + kind * GAMMA) + index * GAMMA);
  }

  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }

  /// From 0 to 1, both excluded.
  public double uniform() {
    state += GAMMA;
    return ((mix(state) >>> 11) + 0.5) * 0x1p-53;
  }

  /// From 0 to a bound that is excluded.
  public int below(int bound) {
    return (int) (uniform() * bound);
  }

  /// Normally distributed with mean 0 and deviation 1 (Box and Muller).
  public double normal() {
    double radius = StrictMath.sqrt(-2 * StrictMath.log(uniform()));
    return radius * StrictMath.cos(2 * StrictMath.PI * uniform());
  }

  /// Lognormally distributed.
  ///
  /// @param sigma the deviation of the logarithm
  public double lognormal(double median, double sigma) {
    return median * StrictMath.exp(sigma * normal());
  }

  /// Exponentially distributed.
  public double exponential(double mean) {
    return -mean * StrictMath.log(uniform());
  }
}
