package im.zonda.storage.sql.account;

import im.zonda.storage.sql.database.SqlSyntax;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/// Changes the row with a key, or inserts it if there is none. Only one connection writes the rows
/// of an owner, so nothing comes in between; and a key may be longer than an index of the database
/// allows.
///
/// @param keys the number of columns of the key, which are the first ones
public record PutRow(int keys, String update, String insert) {
  /// The statements for a table.
  static PutRow of(String table, List<String> key, List<String> values) {
    List<String> columns = new ArrayList<>(key);
    columns.addAll(values);
    String set = values.stream().map(column -> column + " = ?").collect(Collectors.joining(", "));
    String where = key.stream().map(column -> column + " = ?").collect(Collectors.joining(" and "));
    return new PutRow(
        key.size(),
        "update " + table + " set " + set + " where " + where,
        SqlSyntax.insert(table, columns, 1));
  }

  /// Writes a row.
  ///
  /// @param row the values of all columns, those of the key first
  void execute(Handle handle, @Nullable Object... row) {
    int values = row.length - keys;
    @Nullable Object[] rotated = Arrays.copyOfRange(row, keys, row.length + keys);
    System.arraycopy(row, 0, rotated, values, keys);
    if (execute(handle, update, rotated) == 0) {
      execute(handle, insert, row);
    }
  }

  private static int execute(Handle handle, String sql, @Nullable Object[] values) {
    try (Update statement = handle.createUpdate(sql)) {
      for (int i = 0; i < values.length; i++) {
        switch (values[i]) {
          case null -> statement.bindNull(i, Types.NULL);
          case byte[] bytes -> statement.bind(i, bytes);
          case String text -> statement.bind(i, text);
          case Integer number -> statement.bind(i, number);
          case Long number -> statement.bind(i, number);
          default -> throw new IllegalArgumentException(values[i].getClass().getName());
        }
      }
      return statement.execute();
    }
  }
}
