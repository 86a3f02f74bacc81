package im.zonda.bench.plot;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/// Numbers for people.
public final class Numbers {
  private static final MathContext THREE = new MathContext(3);

  private Numbers() {}

  /// A number with three significant digits, or all digits before the point, in groups of three:
  /// `0.153`, `28.5`, `5,000`. NaN is `not measured`.
  public static String of(double value) {
    if (Double.isNaN(value)) {
      return "not measured";
    } else if (Double.isInfinite(value)) {
      return value < 0 ? "-∞" : "∞";
    } else if (Math.abs(value) >= 999.5) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    BigDecimal rounded = new BigDecimal(value).round(THREE);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }

  /// A number and its unit; a count has none.
  public static String of(double value, String unit) {
    return unit.isEmpty() || Double.isNaN(value) ? of(value) : of(value) + " " + unit;
  }
}
