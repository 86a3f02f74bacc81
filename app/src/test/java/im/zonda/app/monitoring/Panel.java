package im.zonda.app.monitoring;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Panel of the dashboard.
///
/// @param title what it shows, as few words
/// @param note what a reader should know, as a sentence
/// @param unit the unit of its values, in Grafana's words
/// @param kind how it is drawn
/// @param queries its series
record Panel(String title, String note, Unit unit, Kind kind, List<Query> queries) {
  /// The width of the dashboard, in columns.
  static final int COLUMNS = 24;

  /// How a panel is drawn, and how large.
  enum Kind {
    /// The last value, as a number.
    STAT("stat", 4, 4),
    /// Values over time.
    LINES("timeseries", 8, 8);

    final String type;
    final int width;
    final int height;

    Kind(String type, int width, int height) {
      this.type = type;
      this.width = width;
      this.height = height;
    }
  }

  /// A unit of values.
  enum Unit {
    NUMBER("short"),
    PER_SECOND("ops"),
    SECONDS("s"),
    BYTES("bytes"),
    BYTES_PER_SECOND("Bps"),
    PART("percentunit"),
    YES("bool_yes_no");

    final String word;

    Unit(String word) {
      this.word = word;
    }
  }

  /// A question to Prometheus.
  ///
  /// @param legend the name of its series, with `{{label}}` for a label
  record Query(String expression, String legend) {}

  /// The last value of something.
  static Panel stat(String title, Unit unit, String expression, String note) {
    return new Panel(title, note, unit, Kind.STAT, List.of(new Query(expression, title)));
  }

  /// Values over time; `queries` are expressions and legends by turns.
  static Panel lines(String title, Unit unit, String note, String... queries) {
    List<Query> all = new ArrayList<>();
    for (int i = 0; i < queries.length; i += 2) {
      all.add(new Query(queries[i], queries[i + 1]));
    }
    return new Panel(title, note, unit, Kind.LINES, all);
  }

  /// The panel as Grafana reads it.
  ///
  /// @param id its number in the dashboard
  Map<String, @Nullable Object> json(int id, int x, int y) {
    List<Map<String, @Nullable Object>> targets = new ArrayList<>();
    for (int i = 0; i < queries.size(); i++) {
      Map<String, @Nullable Object> target = new LinkedHashMap<>();
      target.put("refId", Character.toString('A' + i));
      target.put("datasource", Dashboard.DATASOURCE);
      target.put("editorMode", "code");
      target.put("expr", queries.get(i).expression());
      target.put("legendFormat", queries.get(i).legend());
      target.put("range", true);
      targets.add(target);
    }
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("id", id);
    json.put("type", kind.type);
    json.put("title", title);
    json.put("description", note);
    json.put("datasource", Dashboard.DATASOURCE);
    json.put("gridPos", ordered(Map.of("x", x, "y", y, "w", kind.width, "h", kind.height)));
    json.put("fieldConfig", fieldConfig());
    json.put("options", options());
    json.put("targets", targets);
    return json;
  }

  private Map<String, @Nullable Object> fieldConfig() {
    Map<String, @Nullable Object> defaults = new LinkedHashMap<>();
    defaults.put("unit", unit.word);
    if (unit != Unit.YES) {
      defaults.put("min", 0);
    }
    if (kind == Kind.LINES) {
      defaults.put("custom", ordered(Map.of("fillOpacity", 8, "lineWidth", 1, "spanNulls", false)));
    }
    return ordered(Map.of("defaults", defaults, "overrides", List.of()));
  }

  private Map<String, @Nullable Object> options() {
    return switch (kind) {
      case STAT ->
          ordered(
              Map.of(
                  "graphMode",
                  "area",
                  "reduceOptions",
                  ordered(Map.of("calcs", List.of("lastNotNull")))));
      case LINES ->
          ordered(
              Map.of(
                  "legend",
                  ordered(Map.of("displayMode", "list", "placement", "bottom", "showLegend", true)),
                  "tooltip",
                  ordered(Map.of("mode", "multi", "sort", "desc"))));
    };
  }

  /// A map whose members are in the order of their names, so that the file is always the same.
  static Map<String, @Nullable Object> ordered(Map<String, ?> members) {
    return new LinkedHashMap<>(new TreeMap<>(members));
  }
}
