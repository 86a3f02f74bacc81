package im.zonda.storage.sql.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Inserts many rows into a table, several with a statement. Confined to one thread.
public final class RowInserts implements AutoCloseable {
  private static final int[] SIZES = {64, 8, 1};

  private final Connection connection;
  private final String table;
  private final List<String> columns;
  private final @Nullable PreparedStatement[] inserts = new PreparedStatement[SIZES.length];
  private final List<@Nullable Object[]> rows = new ArrayList<>(SIZES[0]);

  public RowInserts(Connection connection, String table, List<String> columns) {
    this.connection = connection;
    this.table = table;
    this.columns = columns;
  }

  /// Adds a row, which is inserted at the latest by [#flush].
  ///
  /// @param row texts, integers, longs, bytes or null, in the order of the columns
  public void add(@Nullable Object... row) throws SQLException {
    rows.add(row);
    if (rows.size() == SIZES[0]) {
      flush();
    }
  }

  /// Inserts the rows that have been added.
  public void flush() throws SQLException {
    int done = 0;
    for (int i = 0; i < SIZES.length; i++) {
      for (; rows.size() - done >= SIZES[i]; done += SIZES[i]) {
        insert(i, rows.subList(done, done + SIZES[i]));
      }
    }
    rows.clear();
  }

  private void insert(int size, List<@Nullable Object[]> some) throws SQLException {
    PreparedStatement statement = inserts[size];
    if (statement == null) {
      statement = connection.prepareStatement(SqlSyntax.insert(table, columns, SIZES[size]));
      inserts[size] = statement;
    }
    int parameter = 1;
    for (@Nullable Object[] row : some) {
      for (Object value : row) {
        bind(statement, parameter++, value);
      }
    }
    statement.executeUpdate();
  }

  private static void bind(PreparedStatement statement, int parameter, @Nullable Object value)
      throws SQLException {
    switch (value) {
      case null -> statement.setNull(parameter, Types.NULL);
      case byte[] bytes -> statement.setBytes(parameter, bytes);
      case String text -> statement.setString(parameter, text);
      case Integer number -> statement.setInt(parameter, number);
      case Long number -> statement.setLong(parameter, number);
      default -> throw new IllegalArgumentException(value.getClass().getName());
    }
  }

  @Override
  public void close() throws SQLException {
    for (PreparedStatement each : inserts) {
      if (each != null) {
        each.close();
      }
    }
  }
}
