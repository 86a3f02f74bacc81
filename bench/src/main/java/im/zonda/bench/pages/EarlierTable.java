package im.zonda.bench.pages;

import im.zonda.bench.report.ReportMarkdown;
import im.zonda.bench.result.RecordJson;
import im.zonda.json.JsonReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A table of figures that were measured before results had files of their own.
///
/// @param id its name in the template of the page
/// @param section the heading below which it stands
/// @param machine what it was measured on
/// @param date when; with several dates, each row names its own
/// @param commit what was measured; with several commits, each row names its own
/// @param conditions what else ran, and the load
/// @param command how to repeat it, by lines
/// @param columns the first is empty if rows need no heading
/// @param rows as many cells as columns
public record EarlierTable(
    String id,
    String section,
    String machine,
    String date,
    String commit,
    String conditions,
    List<String> command,
    List<String> columns,
    List<List<String>> rows) {
  /// The tables of a file, by id: an object with a member `tables`.
  ///
  /// @throws IllegalArgumentException with the place of an error
  static Map<String, EarlierTable> read(String json) {
    if (!(JsonReader.object(json).get("tables") instanceof List<?> list)) {
      throw new IllegalArgumentException("tables is missing");
    }
    RecordJson records = new RecordJson(true);
    Map<String, EarlierTable> tables = new LinkedHashMap<>();
    for (Object one : list) {
      EarlierTable table = records.record(EarlierTable.class, one, "tables[" + tables.size() + "]");
      table.check();
      if (tables.put(table.id, table) != null) {
        throw new IllegalArgumentException("two tables have the id " + table.id);
      }
    }
    return tables;
  }

  /// Checks that the table says where its figures come from.
  private void check() {
    Map<String, String> needed =
        Map.of("machine", machine, "date", date, "commit", commit, "section", section);
    needed.forEach((name, value) -> {
      if (value.isBlank()) {
        throw new IllegalArgumentException("table " + id + " has no " + name);
      }
    });
    if (command.isEmpty()) {
      throw new IllegalArgumentException("table " + id + " has no command");
    }
    for (List<String> row : rows) {
      if (row.size() != columns.size()) {
        throw new IllegalArgumentException(
            "table " + id + " has " + columns.size() + " columns, and a row " + row);
      }
    }
  }

  /// The table as Markdown: where the figures come from, the figures, and how to repeat them.
  String markdown() {
    List<String> origin = new ArrayList<>(List.of(date, commit));
    if (!conditions.isEmpty()) {
      origin.add(conditions);
    }
    return String.join(", ", origin)
        + ":\n\n"
        + ReportMarkdown.table(columns, rows)
        + "\n"
        + String.join("", command.stream().map(line -> "    " + line + "\n").toList());
  }
}
