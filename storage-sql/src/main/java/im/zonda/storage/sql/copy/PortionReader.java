package im.zonda.storage.sql.copy;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads a table in the order of its key, in portions. Memory is bounded by [#FETCHED] rows.
final class PortionReader implements AutoCloseable {
  /// Rows that the driver may hold at a time.
  private static final int FETCHED = 32;

  /// Up to the owner of the row at which the portion is large enough, or to the last one.
  private static final String WHOLE_OWNERS =
      " and OWNER <= coalesce((select OWNER from TABLE where OWNER > ? order by OWNER limit 1"
          + " offset ?), 9223372036854775807)";

  private final TakenDatabase database;
  private final CopiedTable table;
  private final PortionSize most;
  private final List<PreparedStatement> ranges = new ArrayList<>();

  private long[] last = {};
  private int rows;
  private int bytes;

  /// @param most the size of a portion; rows of one owner that are read together may exceed it
  PortionReader(TakenDatabase database, CopiedTable table, PortionSize most) {
    this.database = database;
    this.table = table;
    this.most = most;
    database.run(connection -> {
      for (int fixed = table.keys() - 1; fixed >= 0; fixed--) {
        PreparedStatement statement = connection.prepareStatement(query(fixed));
        statement.setFetchSize(FETCHED);
        ranges.add(statement);
      }
    });
  }

  /// The position before the first row.
  static long[] start(CopiedTable table) {
    long[] position = new long[table.keys()];
    Arrays.fill(position, Long.MIN_VALUE);
    return position;
  }

  /// The query for the rows that have the same first columns of the key as a position, and a higher
  /// next one.
  private String query(int fixed) {
    List<String> names = table.columnNames();
    StringBuilder sql = new StringBuilder("select ");
    sql.append(String.join(", ", table.columns().stream().map(Column::selected).toList()));
    sql.append(" from ").append(table.name()).append(" where ");
    for (int i = 0; i < fixed; i++) {
      sql.append(names.get(i)).append(" = ? and ");
    }
    String next = names.get(fixed);
    sql.append(next).append(" > ?");
    if (!table.unique()) {
      // All rows of the last owner belong to the portion: its rows have no order of their own.
      sql.append(WHOLE_OWNERS.replace("OWNER", next).replace("TABLE", table.name()));
    }
    sql.append(" order by ").append(String.join(", ", names.subList(fixed, table.keys())));
    return table.unique() ? sql.append(" limit ?").toString() : sql.toString();
  }

  /// Reads the portion after a position and ends the transaction of the query.
  ///
  /// @return the position of its last row, or null if there are no more rows
  long @Nullable [] read(long[] after, Consumer<Row> rowsOf) {
    last = after;
    rows = 0;
    bytes = 0;
    database.run(connection -> {
      boolean more = true;
      for (int fixed = table.keys() - 1; fixed >= 0 && more; fixed--) {
        PreparedStatement statement = ranges.get(table.keys() - 1 - fixed);
        bind(statement, fixed, after);
        try (ResultSet row = statement.executeQuery()) {
          more = read(row, rowsOf) && rows < most.rows();
        }
      }
    });
    database.endQuery();
    return rows == 0 ? null : last;
  }

  private void bind(PreparedStatement statement, int fixed, long[] after) throws SQLException {
    int parameter = 1;
    for (int i = 0; i <= fixed; i++) {
      statement.setLong(parameter++, after[i]);
    }
    if (!table.unique()) {
      statement.setLong(parameter++, after[fixed]);
    }
    statement.setInt(parameter, table.unique() ? most.rows() - rows : most.rows() - 1);
  }

  /// Returns false if the portion is full before the result ends.
  private boolean read(ResultSet row, Consumer<Row> rowsOf) throws SQLException {
    int count = table.columns().size();
    while (row.next()) {
      @Nullable Object[] values = new @Nullable Object[count];
      for (int i = 0; i < count; i++) {
        values[i] = table.columns().get(i).read(row, i + 1);
      }
      long[] key = key(values);
      if (bytes >= most.bytes() && (table.unique() || !Arrays.equals(key, last))) {
        return false;
      }
      Row read = Row.of(values);
      rowsOf.accept(read);
      last = key;
      rows++;
      bytes += read.size();
    }
    return true;
  }

  private long[] key(@Nullable Object[] values) {
    long[] key = new long[table.keys()];
    for (int i = 0; i < key.length; i++) {
      if (!(values[i] instanceof Long number)) {
        throw new IllegalStateException(table.name() + " has a row without a key");
      }
      key[i] = number;
    }
    return key;
  }

  /// The number of rows in the last portion.
  int rows() {
    return rows;
  }

  @Override
  public void close() {
    database.run(connection -> {
      for (PreparedStatement statement : ranges) {
        statement.close();
      }
    });
  }
}
