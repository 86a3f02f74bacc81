package im.zonda.jid;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// Checks a property for many random cases; a failure names the seed that reproduces it.
public final class Property {
  // Set to the seed of a failure to repeat only that case.
  private static final Long REPEAT = Long.getLong("zonda.property.seed");

  private Property() {}

  /// The property that must hold for each case.
  public interface Check {
    /// Throws if it does not hold for what `random` chooses.
    void run(RandomGenerator random) throws Exception;
  }

  /// Runs `check` for a number of seeds, the same in every run.
  public static void holds(int cases, Check check) {
    long first = REPEAT != null ? REPEAT : 1;
    for (long seed = first; seed < first + (REPEAT != null ? 1 : cases); seed++) {
      try {
        check.run(RandomGeneratorFactory.of("L64X128MixRandom").create(seed));
      } catch (Exception | AssertionError e) {
        throw new AssertionError("with -Dzonda.property.seed=" + seed + ": " + e.getMessage(), e);
      }
    }
  }
}
