package im.zonda.bench.plot;

import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/// A chart of bars from left to right, one below the other.
///
/// @param title what it shows, with its unit
/// @param description what can be seen, for people who cannot see it
/// @param unit written behind each value
/// @param bars in the order from top to bottom
public record BarChart(String title, String description, String unit, List<Bar> bars) {
  private static final int WIDTH = 960;
  private static final int NAME = 190;
  private static final int VALUE = 170;
  private static final int ROW = 30;
  private static final int THICK = 18;

  /// A bar.
  ///
  /// @param color 0 to 7: the number of a colour of the page
  /// @param value its length from 0; NaN for a bar that was not measured
  /// @param low the beginning of its interval; NaN if unknown
  /// @param high the end of its interval; NaN if unknown
  public record Bar(String name, int color, double value, double low, double high) {}

  /// The chart as an element `svg`.
  public String draw() {
    StringBuilder svg = new StringBuilder();
    try (Formatter out = new Formatter(svg, Locale.ROOT)) {
      out.format(
          "<svg viewBox=\"0 0 %d %d\" role=\"img\"><title>%s</title><desc>%s</desc>%n",
          WIDTH, ROW * bars.size() + 6, Markup.escape(title), Markup.escape(description));
      double most = 0;
      for (Bar bar : bars) {
        most = Math.max(most, Double.isNaN(bar.value()) ? 0 : bar.value());
        most = Math.max(most, Double.isNaN(bar.high()) ? 0 : bar.high());
      }
      Scale scale = new Scale(0, most > 0 ? most : 1, false);
      for (int i = 0; i < bars.size(); i++) {
        row(out, bars.get(i), scale, 3 + i * ROW);
      }
      out.format("<path class=\"axis\" d=\"M%d 0v%d\"/>", NAME, ROW * bars.size() + 6);
    }
    return svg.append("</svg>").toString();
  }

  private void row(Formatter out, Bar bar, Scale scale, int top) {
    double length = WIDTH - NAME - VALUE;
    out.format(
        "<text class=\"end\" x=\"%d\" y=\"%d\">%s</text>",
        NAME - 10, top + 19, Markup.escape(bar.name()));
    double end = NAME;
    if (!Double.isNaN(bar.value())) {
      end += length * scale.place(bar.value());
      out.format(
          "<rect class=\"a%d\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
          bar.color(), NAME, top + 6, Math.max(1, end - NAME), THICK);
    }
    if (!Double.isNaN(bar.low()) && !Double.isNaN(bar.high())) {
      double high = NAME + length * scale.place(bar.high());
      out.format(
          "<path class=\"interval\" d=\"M%.1f %dH%.1fm0 -5v10M%.1f %dv10\"/>",
          NAME + length * scale.place(bar.low()),
          top + 15,
          high,
          NAME + length * scale.place(bar.low()),
          top + 10);
      end = Math.max(end, high);
    }
    out.format(
        "<text x=\"%.1f\" y=\"%d\">%s</text>%n",
        end + 8, top + 19, Markup.escape(Numbers.of(bar.value(), unit)));
  }
}
