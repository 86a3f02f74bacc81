package im.zonda.bench.statistics;

/// Finds out when a server has become as quick as it gets: when the cost of an operation in three
/// windows of time, one after the other, differs by less than 5 %.
public final class WarmUp {
  /// How many windows must agree.
  public static final int WINDOWS = 3;

  /// How much the dearest of them may cost beyond the cheapest, as a share.
  public static final double DIFFERENCE = 0.05;

  private final double[] last = new double[WINDOWS];
  private int seen;

  /// Takes the next window.
  ///
  /// @param cost of an operation in this window; NaN if there was none, which ends what agreed
  /// @return whether the server is warm
  public boolean add(double cost) {
    if (Double.isNaN(cost)) {
      seen = 0;
      return false;
    }
    last[seen++ % WINDOWS] = cost;
    return isWarm();
  }

  /// Whether the last three windows agree.
  public boolean isWarm() {
    Sample sample = Sample.of(last);
    return seen >= WINDOWS && sample.most() < sample.least() * (1 + DIFFERENCE);
  }
}
