package im.zonda.storage.sql.copy;

import java.util.List;

/// A table that is copied.
///
/// @param name its name in each database
/// @param keys the number of columns by whose order it is read; they are the first ones, and
///   integers that are not null and have an index
/// @param unique whether these columns identify a row
/// @param columns all columns
record CopiedTable(String name, int keys, boolean unique, List<Column> columns) {
  CopiedTable {
    columns = List.copyOf(columns);
  }

  List<String> columnNames() {
    return columns.stream().map(Column::quoted).toList();
  }
}
