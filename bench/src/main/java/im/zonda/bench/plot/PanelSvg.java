package im.zonda.bench.plot;

import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/// Draws a panel.
public final class PanelSvg {
  private static final int WIDTH = 960;
  private static final int LEFT = 66;
  private static final int RIGHT = 14;
  private static final int TOP = 12;
  private static final int HEIGHT = 230;
  private static final int STRIP = 44;
  private static final int BELOW = 26;

  /// The longest pause that the strip shows in its height, and the shortest, in milliseconds.
  private static final Scale PAUSE = new Scale(0.1, 10_000, true);

  private final Panel panel;
  private final StringBuilder svg = new StringBuilder();
  private final Formatter out = new Formatter(svg, Locale.ROOT);

  private PanelSvg(Panel panel) {
    this.panel = panel;
  }

  /// The plot as an element `svg`.
  public static String draw(Panel panel) {
    return new PanelSvg(panel).draw();
  }

  private String draw() {
    int strip = panel.pauses().isEmpty() ? 0 : STRIP;
    out.format(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\"><title>%s</title><desc>%s</desc>%n",
        WIDTH,
        TOP + HEIGHT + strip + BELOW,
        Markup.escape(panel.title()),
        Markup.escape(panel.description()));
    axes(TOP + HEIGHT + strip);
    List<Curve> areas =
        panel.curves().stream().filter(curve -> curve.style() == Curve.Style.AREA).toList();
    stack(areas);
    panel.curves().stream().filter(curve -> !areas.contains(curve)).forEach(this::line);
    for (Panel.Level level : panel.lines()) {
      level(level);
    }
    if (strip > 0) {
      pauses();
    }
    return svg.append("</svg>").toString();
  }

  private void axes(int bottom) {
    for (double mark : panel.up().marks()) {
      out.format("<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, y(mark), WIDTH - RIGHT);
      out.format(
          "<text class=\"end\" x=\"%d\" y=\"%.1f\">%s</text>%n",
          LEFT - 8, y(mark) + 4, Numbers.of(mark));
    }
    List<Double> marks = panel.across().marks();
    for (int i = 0; i < marks.size(); i++) {
      double x = x(marks.get(i));
      boolean last = i == marks.size() - 1;
      out.format("<path class=\"grid\" d=\"M%.1f %dV%d\"/>", x, TOP, bottom);
      out.format(
          "<text class=\"%s\" x=\"%.1f\" y=\"%d\">%s</text>%n",
          x > WIDTH - RIGHT - 40 ? "end" : "middle",
          x,
          bottom + 18,
          panel.quantity().label(marks.get(i), last));
    }
    out.format(
        "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>%n", LEFT, TOP, TOP + HEIGHT, WIDTH - RIGHT);
  }

  private void line(Curve whole) {
    Curve curve = whole.thinned();
    StringBuilder path = new StringBuilder();
    boolean drawing = false;
    long lastX = 0;
    long lastY = 0;
    for (int i = 0; i < curve.x().length; i++) {
      if (Double.isNaN(curve.y()[i])) {
        drawing = false;
        continue;
      }
      long x = Math.round(x(curve.x()[i]));
      long y = Math.round(y(curve.y()[i]));
      if (drawing) {
        path.append('l').append(x - lastX).append(' ').append(y - lastY);
      } else {
        path.append('M').append(x).append(' ').append(y).append("h0");
      }
      if (curve.style() == Curve.Style.DOTTED) {
        out.format("<circle class=\"a%d\" cx=\"%d\" cy=\"%d\" r=\"4\"/>", curve.color(), x, y);
      }
      drawing = true;
      lastX = x;
      lastY = y;
    }
    if (!path.isEmpty()) {
      out.format(
          "<path class=\"line c%d %s\" d=\"%s\"/>%n",
          curve.color(), curve.style().name().toLowerCase(Locale.ROOT), path);
    }
  }

  /// Draws areas, each above those before. All have the same axis, since columns are thinned by
  /// their means.
  private void stack(List<Curve> areas) {
    if (areas.isEmpty()) {
      return;
    }
    int points = areas.getFirst().x().length;
    int columns = Math.min(points, 300);
    double[] below = new double[columns];
    List<String> paths = new ArrayList<>();
    for (Curve area : areas) {
      StringBuilder back = new StringBuilder();
      StringBuilder path = new StringBuilder("M");
      for (int i = 0; i < columns; i++) {
        int from = (int) ((long) points * i / columns);
        int to = Math.max(from + 1, (int) ((long) points * (i + 1) / columns));
        double top = below[i] + mean(area.y(), from, to);
        long x = Math.round(x(area.x()[from]));
        path.append(x).append(' ').append(Math.round(y(top))).append(' ');
        back.insert(0, x + " " + Math.round(y(below[i])) + " ");
        below[i] = top;
      }
      paths.add(
          String.format(
              Locale.ROOT,
              "<path class=\"area a%d\" d=\"%sL%sz\"/>%n",
              area.color(),
              path,
              back.toString().trim()));
    }
    paths.forEach(svg::append);
  }

  private static double mean(double[] values, int from, int to) {
    double sum = 0;
    int count = 0;
    for (int i = from; i < Math.min(to, values.length); i++) {
      if (!Double.isNaN(values[i])) {
        sum += values[i];
        count++;
      }
    }
    return count == 0 ? 0 : sum / count;
  }

  private void level(Panel.Level level) {
    if (level.value() < panel.up().low() || level.value() > panel.up().high()) {
      return;
    }
    double y = y(level.value());
    out.format("<path class=\"level\" d=\"M%d %.1fH%d\"/>", LEFT, y, WIDTH - RIGHT);
    out.format(
        "<text class=\"end note\" x=\"%d\" y=\"%.1f\">%s</text>%n",
        WIDTH - RIGHT - 4, y - 4, Markup.escape(level.label()));
  }

  /// Draws the longest pause of each column.
  private void pauses() {
    int columns = WIDTH - LEFT - RIGHT;
    double[] longest = new double[columns + 1];
    for (Panel.Pause pause : panel.pauses()) {
      int column = (int) Math.round(panel.across().place(pause.at()) * columns);
      longest[column] = Math.max(longest[column], pause.millis());
    }
    int bottom = TOP + HEIGHT + STRIP;
    StringBuilder path = new StringBuilder();
    for (int column = 0; column <= columns; column++) {
      if (longest[column] > 0) {
        long height = Math.max(2, Math.round(PAUSE.place(longest[column]) * (STRIP - 10)));
        path.append('M')
            .append(LEFT + column)
            .append(' ')
            .append(bottom)
            .append("v-")
            .append(height);
      }
    }
    out.format("<path class=\"pause\" d=\"%s\"/>", path);
    out.format("<text class=\"end\" x=\"%d\" y=\"%d\">pauses</text>%n", LEFT - 8, bottom - 4);
    out.format("<path class=\"axis\" d=\"M%d %dH%d\"/>%n", LEFT, bottom, WIDTH - RIGHT);
  }

  private double x(double value) {
    return LEFT + (WIDTH - LEFT - RIGHT) * panel.across().place(value);
  }

  private double y(double value) {
    return TOP + HEIGHT * (1 - panel.up().place(value));
  }
}
