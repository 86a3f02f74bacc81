package im.zonda.study.statistics;

import java.util.Arrays;
import java.util.SplittableRandom;

/// The ratio of two means with the interval that holds it in 95 of 100 cases, by the bootstrap.
///
/// @param value the ratio of the means
/// @param low the lower end
/// @param high the upper end
public record Ratio(double value, double low, double high) {
  private static final int RESAMPLES = 10_000;
  private static final long SEED = 20_030_401;
  private static final double TAIL = 0.025;

  /// The ratio of the mean of `of` to that of `to`. With fewer than two values on a side there is
  /// no interval: its ends are NaN.
  public static Ratio of(double[] of, double[] to) {
    double value = mean(of) / mean(to);
    if (of.length < 2 || to.length < 2) {
      return new Ratio(value, Double.NaN, Double.NaN);
    }
    SplittableRandom random = new SplittableRandom(SEED);
    double[] ratios = new double[RESAMPLES];
    for (int i = 0; i < RESAMPLES; i++) {
      ratios[i] = resampled(of, random) / resampled(to, random);
    }
    Arrays.sort(ratios);
    return new Ratio(
        value, ratios[(int) (RESAMPLES * TAIL)], ratios[(int) (RESAMPLES * (1 - TAIL)) - 1]);
  }

  /// Whether the interval is below one.
  public boolean isLess() {
    return high < 1;
  }

  /// Whether the interval is above one.
  public boolean isMore() {
    return low > 1;
  }

  private static double resampled(double[] values, SplittableRandom random) {
    double sum = 0;
    for (int i = 0; i < values.length; i++) {
      sum += values[random.nextInt(values.length)];
    }
    return sum / values.length;
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }
}
