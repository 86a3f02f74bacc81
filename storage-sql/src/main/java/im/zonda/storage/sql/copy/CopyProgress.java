package im.zonda.storage.sql.copy;

import im.zonda.storage.sql.database.CopyMark;
import im.zonda.storage.sql.database.SqlSyntax;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.sql.Types;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The progress of a copy: the rows of the table [CopyMark#TABLE] in the database that is filled.
/// They change in the transactions with the copied rows.
final class CopyProgress {
  private static final int KEYS = 3;

  private static final String CREATE =
      "create table "
          + CopyMark.TABLE
          + " (name varchar(64) not null primary key, source text, key1 bigint not null,"
          + " key2 bigint not null, key3 bigint not null, copied bigint not null,"
          + " total bigint not null, complete integer not null)";

  private static final List<String> COLUMNS =
      List.of("name", "source", "key1", "key2", "key3", "copied", "total", "complete");

  private static final String READ =
      "select name, source, key1, key2, key3, copied, total, complete from " + CopyMark.TABLE;

  private static final String ADVANCE =
      "update "
          + CopyMark.TABLE
          + " set key1 = ?, key2 = ?, key3 = ?, copied = copied + ? where name = ?";

  private static final String COMPLETE =
      "update " + CopyMark.TABLE + " set complete = 1 where name = ?";

  private final TakenDatabase database;
  private final Map<String, Entry> entries = new HashMap<>();

  /// The progress of a table.
  ///
  /// @param position the key of the last row that has been copied
  /// @param copied the number of rows that have been copied
  /// @param total the number of rows of the table when the copy was begun
  /// @param complete whether all rows have been copied
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Entry(long[] position, long copied, long total, boolean complete) {}

  private CopyProgress(TakenDatabase database) {
    this.database = database;
  }

  /// Creates the table, so that no server uses the database from now on.
  static void create(TakenDatabase database) {
    database.execute(CREATE);
  }

  /// Begins a copy, in the current transaction.
  ///
  /// @param source the address of the source
  /// @param state what changes when a server uses the source
  /// @param totals the number of rows of each table
  static void begin(
      TakenDatabase database, String source, long state, Map<CopiedTable, Long> totals) {
    database.run(connection -> {
      try (PreparedStatement insert =
          connection.prepareStatement(SqlSyntax.insert(CopyMark.TABLE, COLUMNS, 1))) {
        insert.setString(1, CopyMark.WHOLE);
        insert.setString(2, source);
        insert.setLong(3, state);
        for (int i = 4; i <= COLUMNS.size(); i++) {
          insert.setLong(i, 0);
        }
        insert.executeUpdate();
        for (Map.Entry<CopiedTable, Long> each : totals.entrySet()) {
          insert.setString(1, each.getKey().name());
          insert.setNull(2, Types.VARCHAR);
          for (int i = 3; i < 3 + KEYS; i++) {
            insert.setLong(i, Long.MIN_VALUE);
          }
          insert.setLong(6, 0);
          insert.setLong(7, each.getValue());
          insert.setLong(8, 0);
          insert.executeUpdate();
        }
      }
    });
  }

  /// Reads the progress of a copy that has been begun.
  static CopyProgress read(TakenDatabase database) {
    CopyProgress progress = new CopyProgress(database);
    database.run(connection -> {
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(READ)) {
        while (row.next()) {
          long[] position = {row.getLong(3), row.getLong(4), row.getLong(5)};
          progress.entries.put(
              row.getString(1),
              new Entry(position, row.getLong(6), row.getLong(7), row.getInt(8) == 1));
        }
      }
      connection.commit();
    });
    return progress;
  }

  /// The progress of a table, or null if it is not known.
  @Nullable Entry of(CopiedTable table) {
    return entries.get(table.name());
  }

  /// What was recorded as the state of the source.
  long state() {
    Entry whole = entries.get(CopyMark.WHOLE);
    return whole == null ? Long.MIN_VALUE : whole.position[0];
  }

  /// The number of rows of all tables.
  long total() {
    return entries.values().stream().mapToLong(Entry::total).sum();
  }

  /// The number of rows that had been copied when the progress was read.
  long copied() {
    return entries.values().stream().mapToLong(Entry::copied).sum();
  }

  /// Records a portion, in the current transaction.
  void advance(CopiedTable table, long[] position, int rows) {
    database.run(connection -> {
      try (PreparedStatement statement = connection.prepareStatement(ADVANCE)) {
        for (int i = 0; i < KEYS; i++) {
          statement.setLong(i + 1, i < position.length ? position[i] : Long.MIN_VALUE);
        }
        statement.setLong(4, rows);
        statement.setString(5, table.name());
        statement.executeUpdate();
      }
    });
  }

  /// Records, in the current transaction, that all rows of a table have been copied.
  void complete(CopiedTable table) {
    complete(table.name());
  }

  /// Records, in the current transaction, that everything has been copied and verified.
  void complete() {
    complete(CopyMark.WHOLE);
  }

  private void complete(String name) {
    database.run(connection -> {
      try (PreparedStatement statement = connection.prepareStatement(COMPLETE)) {
        statement.setString(1, name);
        statement.executeUpdate();
      }
    });
  }
}
