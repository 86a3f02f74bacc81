package im.zonda.bench.plot;

import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/// A chart of bars from left to right whose parts add up to a whole.
///
/// @param title what it shows
/// @param description what can be seen, for people who cannot see it
/// @param bars in the order from top to bottom
public record StackedBars(String title, String description, List<Bar> bars) {
  private static final int WIDTH = 960;
  private static final int NAME = 190;
  private static final int ROW = 44;
  private static final int THICK = 30;

  /// Parts of less room than that have no number.
  private static final double LEAST_TEXT = 34;

  /// A bar.
  public record Bar(String name, List<Part> parts) {}

  /// A part of a bar.
  ///
  /// @param name for the text that appears below a pointer
  /// @param color 0 to 7: the number of a colour of the page
  /// @param percent of the bar
  public record Part(String name, int color, double percent) {}

  /// The chart as an element `svg`.
  public String draw() {
    StringBuilder svg = new StringBuilder();
    try (Formatter out = new Formatter(svg, Locale.ROOT)) {
      out.format(
          "<svg viewBox=\"0 0 %d %d\" role=\"img\"><title>%s</title><desc>%s</desc>%n",
          WIDTH, ROW * bars.size() + 6, Markup.escape(title), Markup.escape(description));
      for (int i = 0; i < bars.size(); i++) {
        row(out, bars.get(i), 3 + i * ROW);
      }
      out.format("<path class=\"axis\" d=\"M%d 0v%d\"/>", NAME, ROW * bars.size() + 6);
    }
    return svg.append("</svg>").toString();
  }

  private static void row(Formatter out, Bar bar, int top) {
    out.format(
        "<text class=\"end\" x=\"%d\" y=\"%d\">%s</text>",
        NAME - 10, top + 25, Markup.escape(bar.name()));
    double from = NAME;
    for (Part part : bar.parts()) {
      double length = (WIDTH - NAME - 2) * part.percent() / 100;
      if (length > 0) {
        String percent = Numbers.of(part.percent());
        out.format(
            "<rect class=\"a%d\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"><title>%s:"
                + " %s %%</title></rect>",
            part.color(), from, top + 5, length, THICK, Markup.escape(part.name()), percent);
        if (length >= LEAST_TEXT) {
          out.format(
              "<text class=\"on\" x=\"%.1f\" y=\"%d\">%.0f</text>",
              from + length / 2, top + 25, part.percent());
        }
      }
      from += length;
    }
    out.format("%n");
  }
}
