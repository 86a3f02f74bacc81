package im.zonda.bench.statistics;

import java.util.Arrays;

/// Measured values, without those that are NaN.
public final class Sample {
  /// In order of size.
  private final double[] sorted;

  private Sample(double[] sorted) {
    this.sorted = sorted;
  }

  /// A sample of these values.
  public static Sample of(double... values) {
    return new Sample(Arrays.stream(values).filter(one -> !Double.isNaN(one)).sorted().toArray());
  }

  /// How many values there are.
  public int size() {
    return sorted.length;
  }

  /// The value below which that share of the values lies, interpolated between neighbours (type 7
  /// of Hyndman and Fan); NaN of an empty sample.
  ///
  /// @param share 0 to 1
  public double quantile(double share) {
    if (share < 0 || share > 1) {
      throw new IllegalArgumentException("a share of " + share);
    } else if (sorted.length == 0) {
      return Double.NaN;
    }
    double place = share * (sorted.length - 1);
    int below = (int) place;
    double rest = place - below;
    return rest == 0 ? sorted[below] : sorted[below] + rest * (sorted[below + 1] - sorted[below]);
  }

  /// The middle value.
  public double median() {
    return quantile(0.5);
  }

  /// The least value; NaN of an empty sample.
  public double least() {
    return quantile(0);
  }

  /// The greatest value; NaN of an empty sample.
  public double most() {
    return quantile(1);
  }

  /// The mean; NaN of an empty sample.
  public double mean() {
    return trimmedMean(0);
  }

  /// The mean without the least and the greatest values. A single value of a minute among thousands
  /// of milliseconds moves a mean by more than what is compared; this mean does not move.
  ///
  /// @param share the share of the values that is left out at either end, below 0.5
  public double trimmedMean(double share) {
    if (share < 0 || share >= 0.5) {
      throw new IllegalArgumentException("a share of " + share);
    }
    int without = (int) (share * sorted.length);
    return Arrays.stream(sorted, without, sorted.length - without).average().orElse(Double.NaN);
  }

  /// The standard deviation of what the sample was taken from; NaN of fewer than two values.
  public double deviation() {
    double mean = mean();
    double squares = Arrays.stream(sorted).map(one -> (one - mean) * (one - mean)).sum();
    return sorted.length < 2 ? Double.NaN : Math.sqrt(squares / (sorted.length - 1));
  }
}
