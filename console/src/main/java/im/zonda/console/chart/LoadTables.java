package im.zonda.console.chart;

import im.zonda.console.view.Cell;
import im.zonda.console.view.Column;
import im.zonda.console.view.Section;
import im.zonda.console.view.Table;
import im.zonda.operation.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The tables of the page about the load: the stages of messages, and the event loops.
///
/// @param inquiry the visit
/// @param series all series of the meters, each with its meter, labels and values
/// @param nodes whether there are several nodes
record LoadTables(Inquiry inquiry, List<Map<?, ?>> series, boolean nodes) {
  /// The operation that has the series.
  static final String METRICS = "server.metrics";

  private static final double HUNDRED = 100;

  /// Of what the server counts now.
  static LoadTables of(Inquiry inquiry) {
    List<Map<?, ?>> all = PlainData.list(inquiry.data(METRICS, Map.of()), "metrics");
    return new LoadTables(
        inquiry, all, all.stream().anyMatch(each -> each.get(Operation.NODE) != null));
  }

  /// The tables.
  List<Section> sections() {
    return List.of(stages(), loops());
  }

  /// The stages that messages have gone through.
  private Section stages() {
    List<List<Cell>> rows = new ArrayList<>();
    for (Map<?, ?> each : series) {
      if ("zonda_message_seconds".equals(each.get("name")) && number(each, "value") > 0) {
        List<Cell> row = new ArrayList<>();
        addNode(row, each);
        row.add(Cell.of(inquiry.text("load.stage." + label(each))));
        row.add(Cell.ofNumber(Unit.RATE.text(inquiry.values(), number(each, "perSecond"))));
        for (String part : List.of("p50", "p99", "p999", "max")) {
          row.add(seconds(number(each, part)));
        }
        rows.add(row);
      }
    }
    List<Column> columns =
        columns(
            "load.stage", "load.per-second", "load.p50", "load.p99", "load.p999", "load.longest");
    return Section.of(
        inquiry.text("load.stages"), new Table(columns, rows), inquiry.text("load.stages.none"));
  }

  private Section loops() {
    Map<String, Map<String, Map<?, ?>>> loops = new LinkedHashMap<>();
    for (Map<?, ?> each : series) {
      String name = PlainData.string(each, "name");
      if (name.startsWith("zonda_loop_")) {
        loops
            .computeIfAbsent(
                PlainData.string(each, Operation.NODE) + " " + label(each),
                _ -> new LinkedHashMap<>())
            .put(name, each);
      }
    }
    List<List<Cell>> rows = loops.values().stream().map(this::loop).toList();
    List<Column> columns =
        columns(
            "load.loop",
            "load.connections",
            "load.events",
            "load.busy",
            "load.tasks",
            "load.longest-turn");
    return Section.of(
        inquiry.text("load.loops"), new Table(columns, rows), inquiry.text("load.loops.none"));
  }

  private List<Cell> loop(Map<String, Map<?, ?>> meters) {
    Map<?, ?> events = meters.getOrDefault("zonda_loop_events_total", Map.of());
    Map<?, ?> busy = meters.getOrDefault("zonda_loop_busy_seconds_total", Map.of());
    List<Cell> row = new ArrayList<>();
    addNode(row, events);
    row.add(Cell.of(label(events)));
    row.add(count(meters.get("zonda_loop_connections")));
    row.add(Cell.ofNumber(Unit.RATE.text(inquiry.values(), number(events, "perSecond"))));
    row.add(
        Cell.ofNumber(
            String.format(
                Locale.of(inquiry.values().language().code()),
                "%.1f %%",
                number(busy, "perSecond") * HUNDRED)));
    row.add(count(meters.get("zonda_loop_tasks")));
    row.add(
        seconds(number(meters.getOrDefault("zonda_loop_longest_turn_seconds", Map.of()), "value")));
    return row;
  }

  private void addNode(List<Cell> row, Map<?, ?> each) {
    if (nodes) {
      row.add(Cell.of(PlainData.string(each, Operation.NODE)));
    }
  }

  /// @param first the key of the first column, whose cells are words or numbers of their own
  private List<Column> columns(String first, String... numbers) {
    List<Column> columns = new ArrayList<>();
    if (nodes) {
      columns.add(new Column(inquiry.text("column.node"), false));
    }
    columns.add(new Column(inquiry.text(first), false));
    for (String each : numbers) {
      columns.add(new Column(inquiry.text(each), true));
    }
    return columns;
  }

  private Cell seconds(double value) {
    return Cell.ofNumber(Unit.SECONDS.text(inquiry.values(), value));
  }

  private Cell count(@Nullable Map<?, ?> meter) {
    return Cell.ofNumber(
        inquiry.values().number(Math.round(meter == null ? 0 : number(meter, "value"))));
  }

  private static double number(Map<?, ?> data, String name) {
    return data.get(name) instanceof Number found ? found.doubleValue() : 0;
  }

  /// The value of the only label.
  private static String label(Map<?, ?> each) {
    String[] parts = Objects.toString(each.get("labels"), "").split("\"", -1);
    return parts.length > 1 ? parts[1] : "";
  }
}
