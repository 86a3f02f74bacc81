package im.zonda.bench.statistics;

import java.util.Arrays;
import java.util.SplittableRandom;

/// The ratio of B to A, from pairs of turns: the geometric mean of the ratios of the pairs. The two
/// turns of a pair stand next to each other in time, so that a machine that changes its speed
/// changes it for both.
///
/// @param value B divided by A
/// @param low the beginning of the interval that holds the true ratio in 95 of 100 cases
/// @param high its end
/// @param noise the standard deviation of the ratio of one pair, as a share
/// @param pairs how many pairs there were
public record Ratio(double value, double low, double high, double noise, int pairs) {
  /// Fewer pairs show nothing.
  public static final int LEAST_PAIRS = 4;

  private static final int RESAMPLES = 10_000;
  private static final long SEED = 20_051_219;

  /// The ratio of pairs. The interval is the percentile interval of 10,000 bootstrap resamples of
  /// the pairs, with the same seed each time, made wider by the factor by which the t-distribution
  /// is wider than the normal one: resamples of few pairs vary less than pairs do.
  ///
  /// @param a the cost of the turns of A, above 0
  /// @param b the cost of the turns of B, above 0, in the order of their pairs
  /// @throws IllegalArgumentException if the lengths differ, there are fewer than [#LEAST_PAIRS],
  ///   or a cost is not above 0
  public static Ratio ofPairs(double[] a, double[] b) {
    return ofPairs(a, b, RESAMPLES);
  }

  static Ratio ofPairs(double[] a, double[] b, int resamples) {
    int n = a.length;
    if (b.length != n || n < LEAST_PAIRS) {
      throw new IllegalArgumentException(
          n + " and " + b.length + " turns; a ratio needs " + LEAST_PAIRS + " pairs");
    }
    double[] logs = new double[n];
    for (int i = 0; i < n; i++) {
      if (!(a[i] > 0 && b[i] > 0)) {
        throw new IllegalArgumentException(
            "pair " + (i + 1) + " has costs of " + a[i] + " and " + b[i]);
      }
      logs[i] = Math.log(b[i] / a[i]);
    }
    double mean = Arrays.stream(logs).average().orElseThrow();
    Sample means = Sample.of(resampledMeans(logs, resamples));
    double wider = Math.sqrt(n / (n - 1.0)) * StudentT.limit(n - 1) / StudentT.NORMAL;
    return new Ratio(
        Math.exp(mean),
        Math.exp(mean + wider * (means.quantile(0.025) - mean)),
        Math.exp(mean + wider * (means.quantile(0.975) - mean)),
        Sample.of(logs).deviation(),
        n);
  }

  private static double[] resampledMeans(double[] values, int resamples) {
    SplittableRandom random = new SplittableRandom(SEED);
    double[] means = new double[resamples];
    for (int i = 0; i < resamples; i++) {
      double sum = 0;
      for (int j = 0; j < values.length; j++) {
        sum += values[random.nextInt(values.length)];
      }
      means[i] = sum / values.length;
    }
    return means;
  }

  /// Whether the interval holds 1, so that no difference was shown.
  public boolean holdsOne() {
    return low <= 1 && high >= 1;
  }

  /// The largest difference that the interval leaves possible, as a share of A.
  public double largestDifference() {
    return Math.max(Math.abs(low - 1), Math.abs(high - 1));
  }

  /// How many pairs show a difference of that share in 4 of 5 cases, with the noise that these
  /// pairs had.
  ///
  /// @param difference such as 0.05
  public int pairsFor(double difference) {
    double needed = (StudentT.NORMAL + 0.8416) * noise / Math.log1p(difference);
    return Math.max(LEAST_PAIRS, (int) Math.ceil(needed * needed) + 2);
  }
}
