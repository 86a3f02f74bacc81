package im.zonda.console.chart;

import im.zonda.console.chart.ChartDefinition.Line;
import im.zonda.console.view.Cell;
import im.zonda.console.view.Column;
import im.zonda.console.view.Table;
import im.zonda.console.view.Values;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A chart as a page shows it.
///
/// @param name by which it is renewed
/// @param title a sentence with the last value
/// @param unit the word for what its values are
/// @param lines its lines
/// @param top what the upper edge of the drawing stands for
/// @param middle what the middle stands for
/// @param data the values for the cursor: the beginning and the length of a step in seconds, then
///   the values of each line
public record Chart(
    String name,
    String title,
    String unit,
    List<Drawn> lines,
    String top,
    String middle,
    String data) {
  /// The width of the drawing, which is stretched.
  public static final int WIDTH = 1_000;

  /// The height of the drawing, which is stretched.
  public static final int HEIGHT = 200;

  private static final Curve CURVE = new Curve(WIDTH, HEIGHT);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final int DIGITS = 4;

  /// A line.
  ///
  /// @param label the name of the value
  /// @param last its last value
  /// @param path how it is drawn
  /// @param area what is below it; empty if that is not filled
  public record Drawn(String label, String last, String path, String area) {}

  /// Copies the list.
  public Chart {
    lines = List.copyOf(lines);
  }

  /// Draws a chart.
  public static Chart of(ChartDefinition definition, Steps steps, Values values) {
    Unit unit = definition.unit();
    List<double[]> all = definition.lines().stream().map(steps::of).toList();
    double most = all.stream().mapToDouble(Steps::highest).filter(each -> each > 0).max().orElse(0);
    double top = unit.ceiling(most);
    List<Drawn> lines = new ArrayList<>();
    List<Double> lasts = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      double last = Steps.last(all.get(i));
      lasts.add(last);
      lines.add(
          new Drawn(
              values.language().text(definition.lines().get(i).text()),
              text(unit, values, last),
              CURVE.line(all.get(i), top),
              all.size() == 1 ? CURVE.area(all.get(i), top) : ""));
    }
    return new Chart(
        definition.name(),
        title(definition, lasts, values),
        unit.word(),
        lines,
        unit.text(values, top),
        unit.text(values, top / 2),
        data(steps, all));
  }

  /// The sentence with the last values; another one if there was nothing to measure.
  private static String title(ChartDefinition definition, List<Double> lasts, Values values) {
    String key = "chart." + definition.name();
    boolean none = lasts.stream().allMatch(each -> each.isNaN() || each == 0);
    return none && values.language().has(key + ".none")
        ? values.language().text(key + ".none")
        : values
            .language()
            .text(
                key,
                lasts.stream()
                    .map(each -> each.isNaN() ? "–" : definition.unit().inSentence(values, each))
                    .toArray(String[]::new));
  }

  private static String text(Unit unit, Values values, double value) {
    return Double.isNaN(value) ? "–" : unit.text(values, value);
  }

  private static String data(Steps steps, List<double[]> all) {
    StringBuilder data = new StringBuilder();
    data.append(steps.begin().getEpochSecond())
        .append(';')
        .append(steps.range().step().toSeconds());
    for (double[] line : all) {
      char between = ';';
      for (double each : line) {
        data.append(between);
        if (!Double.isNaN(each)) {
          data.append(number(each));
        }
        between = ',';
      }
    }
    return data.toString();
  }

  /// A number with a few digits, as programs read it.
  private static String number(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return Long.toString((long) value);
    }
    return String.format(Locale.ROOT, "%." + DIGITS + "g", value);
  }

  /// What changes in the page as time goes by, by the names of the places.
  public Map<String, String> places() {
    Map<String, String> places = new LinkedHashMap<>();
    String id = "chart." + name;
    places.put(id, title);
    places.put(id + ".top", top);
    places.put(id + ".middle", middle);
    for (int i = 0; i < lines.size(); i++) {
      places.put(id + "." + i, lines.get(i).last());
      places.put(id + "." + i + ".line@d", lines.get(i).path());
      if (!lines.get(i).area().isEmpty()) {
        places.put(id + "." + i + ".area@d", lines.get(i).area());
      }
    }
    places.put(id + ".plot@data-values", data);
    return places;
  }

  /// The values as a table, the newest first, without steps that have none.
  public static Table table(ChartDefinition definition, Steps steps, Values values, String time) {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column(time, false));
    for (Line each : definition.lines()) {
      columns.add(new Column(values.language().text(each.text()), true));
    }
    List<double[]> all = definition.lines().stream().map(steps::of).toList();
    List<List<Cell>> rows = new ArrayList<>();
    for (int i = steps.range().steps() - 1; i >= 0; i--) {
      int at = i;
      if (all.stream().anyMatch(line -> !Double.isNaN(line[at]))) {
        Instant begin = steps.begin().plus(steps.range().step().multipliedBy(i));
        List<Cell> row = new ArrayList<>();
        row.add(Cell.of(TIME.format(begin)));
        all.forEach(line -> row.add(Cell.ofNumber(text(definition.unit(), values, line[at]))));
        rows.add(row);
      }
    }
    return new Table(columns, rows);
  }
}
