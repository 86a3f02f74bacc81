package im.zonda.bench.statistics;

/// A straight line through points, by least squares.
///
/// @param intercept y where x is 0
/// @param slope the change of y for a change of x by 1
/// @param slopeLow the beginning of the interval that holds the true slope in 95 of 100 cases, if
///   the points scatter normally around a line
/// @param slopeHigh its end
/// @param explained the share of the variance of y that the line explains, 0 to 1
public record Line(
    double intercept, double slope, double slopeLow, double slopeHigh, double explained) {
  /// The line through points.
  ///
  /// @throws IllegalArgumentException if there are fewer than three points, or all have the same x
  public static Line through(double[] x, double[] y) {
    int n = x.length;
    if (y.length != n || n < 3) {
      throw new IllegalArgumentException(n + " and " + y.length + " values; a line needs three");
    }
    double meanX = Sample.of(x).mean();
    double meanY = Sample.of(y).mean();
    double xx = 0;
    double xy = 0;
    double yy = 0;
    for (int i = 0; i < n; i++) {
      xx += (x[i] - meanX) * (x[i] - meanX);
      xy += (x[i] - meanX) * (y[i] - meanY);
      yy += (y[i] - meanY) * (y[i] - meanY);
    }
    if (xx == 0) {
      throw new IllegalArgumentException("all points have the same x");
    }
    double slope = xy / xx;
    double rest = Math.max(0, yy - slope * xy);
    double around = StudentT.limit(n - 2) * Math.sqrt(rest / (n - 2) / xx);
    return new Line(
        meanY - slope * meanX, slope, slope - around, slope + around, yy == 0 ? 1 : 1 - rest / yy);
  }

  /// The value of the line at a place.
  public double at(double x) {
    return intercept + slope * x;
  }
}
