package im.zonda.study.report;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/// Draws grouped bars on a logarithmic scale, as SVG.
final class Bars {
  private static final int LABEL = 230;
  private static final int WIDTH = 560;
  private static final int BAR = 13;
  private static final int GROUP = 34;
  private static final int TOP = 24;

  /// Two values of one row; NaN where there is none.
  record Row(String label, double first, double second) {}

  private Bars() {}

  /// Draws rows.
  ///
  /// @param first the name of the first value
  /// @param second the name of the second value
  /// @param unit of both
  static String draw(String title, List<Row> rows, String first, String second, String unit) {
    DoubleSummaryStatistics all =
        rows.stream()
            .flatMapToDouble(row -> DoubleStream.of(row.first(), row.second()))
            .filter(value -> value > 0)
            .summaryStatistics();
    int low = (int) Math.floor(Math.log10(all.getMin()));
    int high = Math.max(low + 1, (int) Math.ceil(Math.log10(all.getMax())));
    int height = TOP + rows.size() * GROUP + 20;
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" style=\"max-width:62em\"><title>%s</title>",
            LABEL + WIDTH + 90,
            height,
            Page.escape(title)));
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"14\" style=\"fill:var(--bar)\">%s</text>"
                + "<text x=\"%d\" y=\"14\" style=\"fill:var(--other)\">%s</text>",
            LABEL,
            first,
            LABEL + 90,
            second));
    for (int power = low; power <= high; power++) {
      double x = LABEL + WIDTH * (double) (power - low) / (high - low);
      svg.append(
          String.format(
              Locale.ROOT,
              "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"#8886\"/>"
                  + "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s %s</text>",
              x,
              x,
              TOP,
              height - 18,
              x,
              height - 4,
              Numbers.of(Math.pow(10, power)),
              unit));
    }
    double scale = WIDTH / (double) (high - low);
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      int y = TOP + i * GROUP + 4;
      svg.append(
          String.format(
              Locale.ROOT,
              "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>",
              LABEL - 8,
              y + BAR + 4,
              Page.escape(row.label())));
      bar(svg, row.first(), y, "--bar", scale, low);
      bar(svg, row.second(), y + BAR, "--other", scale, low);
    }
    return svg.append("</svg>").toString();
  }

  private static void bar(
      StringBuilder svg, double value, int y, String color, double scale, int low) {
    if (!(value > 0)) {
      return;
    }
    double width = Math.max(1, scale * (Math.log10(value) - low));
    svg.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" style=\"fill:var(%s)\"/>"
                + "<text x=\"%.1f\" y=\"%d\">%s</text>",
            LABEL,
            y,
            width,
            BAR - 1,
            color,
            LABEL + width + 4,
            y + BAR - 2,
            Numbers.of(value)));
  }
}
