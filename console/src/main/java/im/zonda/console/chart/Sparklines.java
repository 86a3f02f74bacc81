package im.zonda.console.chart;

import im.zonda.console.view.Sparkline;

/// Draws small lines without a scale.
public final class Sparklines {
  private static final Curve CURVE = new Curve(Sparkline.WIDTH, Sparkline.HEIGHT);

  private Sparklines() {}

  /// A drawing of values.
  public static Sparkline of(double[] values, Unit unit) {
    double most = Steps.highest(values);
    if (Double.isNaN(most)) {
      return Sparkline.NONE;
    }
    double top = Math.max(most * 1.05, unit.ceiling(0)); // the line has a width
    return new Sparkline(CURVE.line(values, top), CURVE.area(values, top));
  }
}
