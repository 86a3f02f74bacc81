package im.zonda.study.statistics;

import java.util.Arrays;

/// Times in the order in which they were measured, in milliseconds.
public final class Samples {
  private static final double TRIMMED = 0.01;

  private final double[] millis;

  /// @param millis the times; at least one
  public Samples(double[] millis) {
    this.millis = millis.clone();
  }

  /// How many there are.
  public int count() {
    return millis.length;
  }

  /// The times.
  public double[] millis() {
    return millis.clone();
  }

  /// The mean.
  public double average() {
    return mean(millis);
  }

  /// The shortest.
  public double least() {
    return Arrays.stream(millis).min().orElse(Double.NaN);
  }

  /// The longest.
  public double most() {
    return Arrays.stream(millis).max().orElse(Double.NaN);
  }

  /// The time that a share of the samples does not exceed, by the nearest rank.
  ///
  /// @param share from 0 to 1
  public double percentile(double share) {
    double[] sorted = millis.clone();
    Arrays.sort(sorted);
    int rank = (int) Math.ceil(share * sorted.length);
    return sorted[Math.clamp(rank - 1, 0, sorted.length - 1)];
  }

  /// The mean without the shortest and the longest hundredth.
  public double trimmed() {
    double[] sorted = millis.clone();
    Arrays.sort(sorted);
    int cut = (int) (sorted.length * TRIMMED);
    return mean(Arrays.copyOfRange(sorted, cut, sorted.length - cut));
  }

  /// The means of equal parts of the time: what follows each other depends on each other, so parts
  /// are resampled and not single samples.
  public double[] batchMeans(int batches) {
    int count = Math.min(batches, millis.length);
    double[] means = new double[count];
    for (int i = 0; i < count; i++) {
      int from = (int) ((long) millis.length * i / count);
      int to = (int) ((long) millis.length * (i + 1) / count);
      means[i] = mean(Arrays.copyOfRange(millis, from, to));
    }
    return means;
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }
}
