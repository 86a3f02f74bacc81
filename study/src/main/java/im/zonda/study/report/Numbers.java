package im.zonda.study.report;

import im.zonda.study.statistics.Ratio;
import java.util.Locale;

/// Numbers as people read them.
final class Numbers {
  static final String NONE = "-";

  private Numbers() {}

  /// A number with three significant digits, or all digits before the point.
  static String of(double value) {
    if (Double.isNaN(value)) {
      return NONE;
    }
    double size = Math.abs(value);
    String form = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, form, value);
  }

  /// A ratio in percent, with its interval.
  static String percent(Ratio ratio) {
    if (Double.isNaN(ratio.value())) {
      return NONE;
    }
    String value = String.format(Locale.ROOT, "%.2f %%", 100 * ratio.value());
    return Double.isNaN(ratio.low())
        ? value
        : String.format(
            Locale.ROOT, "%s (%.1f to %.1f)", value, 100 * ratio.low(), 100 * ratio.high());
  }

  /// By how many percent less a ratio is, with its interval.
  static String less(Ratio ratio) {
    if (Double.isNaN(ratio.value())) {
      return NONE;
    }
    String value = String.format(Locale.ROOT, "%.2f %%", 100 * (1 - ratio.value()));
    return Double.isNaN(ratio.low())
        ? value
        : String.format(
            Locale.ROOT,
            "%s (%.1f to %.1f)",
            value,
            100 * (1 - ratio.high()),
            100 * (1 - ratio.low()));
  }

  static String seconds(double millis) {
    return Double.isNaN(millis) ? NONE : String.format(Locale.ROOT, "%.2f s", millis / 1e3);
  }
}
