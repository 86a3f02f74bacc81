package im.zonda.testkit;

import im.zonda.module.IdSource;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// Identifiers that are the same in every run with the same seed.
public final class SeededIds implements IdSource {
  private final RandomGenerator random;

  /// Creates identifiers from `seed`.
  public SeededIds(long seed) {
    random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  }

  @Override
  public synchronized String next() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
  }
}
