package im.zonda.bench.report;

import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/// Plots time series as SVG, one panel below the other.
final class SvgPlot {
  private static final int WIDTH = 960;
  private static final int LEFT = 64;
  private static final int RIGHT = 16;
  private static final int TOP = 34;
  private static final int HEIGHT = 220;
  private static final int GAP = 58;
  private static final int TIME_MARKS = 10;

  /// A line, or dots where `dots`.
  ///
  /// @param at seconds since the beginning, and values; NaN is left out
  record Curve(String name, String color, boolean dots, List<double[]> at) {
    /// A line of one value of each row, a second apart.
    static <T> Curve of(String name, String color, List<T> rows, ToDoubleFunction<T> value) {
      List<double[]> points = new ArrayList<>();
      for (int i = 0; i < rows.size(); i++) {
        points.add(new double[] {i + 1, value.applyAsDouble(rows.get(i))});
      }
      return new Curve(name, color, false, points);
    }
  }

  /// One diagram.
  ///
  /// @param title what is shown, with its unit
  /// @param low the least value shown
  /// @param high the greatest
  /// @param log whether each step up is ten times the one below
  record Panel(String title, double low, double high, boolean log, List<Curve> curves) {
    private double place(double value) {
      double shown = Math.clamp(value, low, high);
      return log ? Math.log(shown / low) / Math.log(high / low) : (shown - low) / (high - low);
    }

    private List<Double> marks() {
      List<Double> marks = new ArrayList<>();
      if (log) {
        for (double mark = low; mark <= high * 1.001; mark *= 10) {
          marks.add(mark);
        }
      } else {
        for (int i = 0; i <= 4; i++) {
          marks.add(low + (high - low) * i / 4);
        }
      }
      return marks;
    }
  }

  private final StringBuilder svg = new StringBuilder();
  private final Formatter out = new Formatter(svg, Locale.ROOT);
  private final double seconds;

  private SvgPlot(double seconds) {
    this.seconds = seconds;
  }

  /// The document.
  ///
  /// @param seconds the length of the time axis
  static String draw(String title, double seconds, List<Panel> panels) {
    SvgPlot plot = new SvgPlot(seconds);
    int height = TOP + panels.size() * (HEIGHT + GAP);
    plot.out.format(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif'"
            + " font-size='12'>%n<rect width='%d' height='%d' fill='white'/>%n",
        WIDTH, height, WIDTH, height);
    plot.text(LEFT, 18, "start", title);
    for (int i = 0; i < panels.size(); i++) {
      plot.panel(panels.get(i), TOP + 12 + i * (HEIGHT + GAP));
    }
    return plot.svg.append("</svg>\n").toString();
  }

  private void panel(Panel panel, int top) {
    int right = WIDTH - RIGHT;
    text(LEFT, top - 6, "start", panel.title());
    for (double mark : panel.marks()) {
      double y = y(panel, top, mark);
      out.format("<path d='M%d %.1fH%d' stroke='#ddd'/>%n", LEFT, y, right);
      String label = mark == Math.rint(mark) ? "%.0f" : mark < 0.1 ? "%.2f" : "%.1f";
      text(LEFT - 6, y + 4, "end", String.format(Locale.ROOT, label, mark));
    }
    for (int i = 0; i <= TIME_MARKS; i++) {
      double second = seconds * i / TIME_MARKS;
      text(x(second), top + HEIGHT + 16, "middle", String.format(Locale.ROOT, "%.0f s", second));
    }
    int legend = right;
    for (Curve curve : panel.curves().reversed()) {
      curve(panel, top, curve);
      out.format(
          "<text x='%d' y='%d' text-anchor='end' fill='%s'>", legend, top - 6, curve.color());
      svg.append(escaped(curve.name())).append("</text>\n");
      legend -= 14 + 7 * curve.name().length();
    }
    out.format(
        "<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#888'/>%n",
        LEFT, top, right - LEFT, HEIGHT);
  }

  private void curve(Panel panel, int top, Curve curve) {
    StringBuilder path = new StringBuilder();
    boolean drawing = false;
    for (double[] point : curve.at()) {
      if (Double.isNaN(point[1])) {
        drawing = false;
        continue;
      }
      double x = x(point[0]);
      double y = y(panel, top, point[1]);
      if (curve.dots()) {
        out.format("<circle cx='%.1f' cy='%.1f' r='2' fill='%s'/>%n", x, y, curve.color());
      } else {
        path.append(String.format(Locale.ROOT, "%s%.1f %.1f", drawing ? "L" : "M", x, y));
        drawing = true;
      }
    }
    if (!path.isEmpty()) {
      out.format(
          "<path d='%s' fill='none' stroke='%s' stroke-width='1.2'/>%n", path, curve.color());
    }
  }

  private double x(double second) {
    return LEFT + (WIDTH - RIGHT - LEFT) * second / seconds;
  }

  private static double y(Panel panel, int top, double value) {
    return top + HEIGHT * (1 - panel.place(value));
  }

  private void text(double x, double y, String anchor, String text) {
    out.format("<text x='%.1f' y='%.1f' text-anchor='%s' fill='#333'>", x, y, anchor);
    svg.append(escaped(text)).append("</text>\n");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }
}
