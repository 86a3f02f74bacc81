package im.zonda.console.view;

import java.util.List;

/// A table.
///
/// @param columns the headings
/// @param rows a cell for each column
/// @param actions what can be done with each row; empty if nothing can
public record Table(List<Column> columns, List<List<Cell>> rows, List<List<Link>> actions) {
  /// Copies the lists.
  public Table {
    columns = List.copyOf(columns);
    rows = rows.stream().map(List::copyOf).toList();
    actions = actions.stream().map(List::copyOf).toList();
  }

  /// A table of values.
  public Table(List<Column> columns, List<List<Cell>> rows) {
    this(columns, rows, List.of());
  }
}
