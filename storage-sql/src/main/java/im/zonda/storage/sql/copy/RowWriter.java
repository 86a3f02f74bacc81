package im.zonda.storage.sql.copy;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// Inserts rows of a table, several with a statement.
final class RowWriter implements AutoCloseable {
  private static final int[] SIZES = {64, 16, 4, 1};

  /// A database server has a limit for the size of a statement.
  private static final int MAX_BYTES = 1 << 20;

  private final TakenDatabase database;
  private final CopiedTable table;
  private final List<PreparedStatement> inserts = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();
  private int bytes;

  RowWriter(TakenDatabase database, CopiedTable table) {
    this.database = database;
    this.table = table;
    database.run(connection -> {
      for (int size : SIZES) {
        inserts.add(
            connection.prepareStatement(
                database.dialect().syntax().insertCopied(table.name(), table.columnNames(), size)));
      }
    });
  }

  void add(Row row) {
    if (bytes + row.size() > MAX_BYTES) {
      flush();
    }
    rows.add(row);
    bytes += row.size();
    if (rows.size() == SIZES[0]) {
      flush();
    }
  }

  /// Inserts the rows that have been added.
  void flush() {
    database.run(connection -> {
      int done = 0;
      for (int i = 0; i < SIZES.length; i++) {
        for (; rows.size() - done >= SIZES[i]; done += SIZES[i]) {
          insert(inserts.get(i), rows.subList(done, done + SIZES[i]));
        }
      }
    });
    rows.clear();
    bytes = 0;
  }

  private void insert(PreparedStatement statement, List<Row> part) throws SQLException {
    int parameter = 1;
    for (Row row : part) {
      for (int i = 0; i < row.values().length; i++) {
        table.columns().get(i).bind(statement, parameter++, row.values()[i]);
      }
    }
    statement.executeUpdate();
    statement.clearParameters(); // the driver would keep the values
  }

  @Override
  public void close() {
    database.run(connection -> {
      for (PreparedStatement statement : inserts) {
        statement.close();
      }
    });
  }
}
