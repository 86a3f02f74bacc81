package im.zonda.console.chart;

import java.util.List;

/// Which values a chart has.
///
/// @param name by which its texts and its place in an address are found
/// @param lines at most three
public record ChartDefinition(String name, Unit unit, List<Line> lines) {
  /// The most lines.
  public static final int MOST_LINES = 3;

  /// A line.
  ///
  /// @param metric the name of the meter
  /// @param labels the labels of its series, or part of them; empty for the sum of all
  /// @param measure the word for what the series says
  /// @param text the key of what the line is called
  public record Line(String metric, String labels, String measure, String text) {}

  /// Copies the list.
  ///
  /// @throws IllegalArgumentException if there are too many lines
  public ChartDefinition {
    lines = List.copyOf(lines);
    if (lines.size() > MOST_LINES) {
      throw new IllegalArgumentException("too many lines");
    }
  }

  /// A chart of percentiles.
  static ChartDefinition times(String name, String metric, String labels) {
    return new ChartDefinition(
        name,
        Unit.SECONDS,
        List.of(
            new Line(metric, labels, "p50", "line.p50"),
            new Line(metric, labels, "p99", "line.p99"),
            new Line(metric, labels, "p999", "line.p999")));
  }

  /// A chart of how fast something grows.
  static ChartDefinition rates(String name, Unit unit, String metric, String... labels) {
    return of(name, unit, metric, "rate", labels);
  }

  /// A chart of what can fall.
  static ChartDefinition values(String name, Unit unit, String metric, String... labels) {
    return of(name, unit, metric, "value", labels);
  }

  private static ChartDefinition of(
      String name, Unit unit, String metric, String measure, String... labels) {
    return new ChartDefinition(
        name,
        unit,
        labels.length == 0
            ? List.of(new Line(metric, "", measure, "line." + name))
            : List.of(labels).stream()
                .map(each ->
                    new Line(
                        metric,
                        each,
                        measure,
                        "line." + name + "." + each.replaceAll("[^a-z=]", "").replace('=', '-')))
                .toList());
  }
}
