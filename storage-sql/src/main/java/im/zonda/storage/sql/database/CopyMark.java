package im.zonda.storage.sql.database;

import im.zonda.store.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/// The table `zonda_copy` of a database that `zonda database copy` fills. No server uses the
/// database until the copy is complete; the first one that does removes the table.
public final class CopyMark {
  /// The name of the table. Each copied table has a row in it with the progress.
  public static final String TABLE = "zonda_copy";

  /// The name of the row about the whole copy.
  public static final String WHOLE = "source";

  private static final String FIND =
      "select source, complete from " + TABLE + " where name = '" + WHOLE + "'";

  /// A copy that has been begun.
  ///
  /// @param source the address of the copied database, or null if nothing has been copied
  /// @param complete whether everything has been copied and verified
  public record Copy(@Nullable String source, boolean complete) {}

  private CopyMark() {}

  /// The copy that the database is, or null if it is none.
  public static @Nullable Copy find(Connection connection, Dialect dialect) throws SQLException {
    if (!dialect.tables(connection).contains(TABLE)) {
      return null;
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(FIND)) {
      return row.next() ? new Copy(row.getString(1), row.getInt(2) == 1) : new Copy(null, false);
    }
  }

  /// Rejects a copy that is not complete.
  ///
  /// @throws StoreException `DAMAGED`, with a message that says how to continue
  public static void check(Connection connection, Dialect dialect) throws SQLException {
    Copy copy = find(connection, dialect);
    if (copy != null && !copy.complete) {
      String source = copy.source == null ? "another database" : copy.source;
      throw new StoreException(
          StoreException.Category.DAMAGED,
          dialect.name()
              + " is an unfinished copy of "
              + source
              + ". Finish it with 'zonda database copy' and the configuration of "
              + source
              + ", or use another database. It was not changed.",
          null);
    }
  }

  /// Removes the table of a complete copy.
  static void remove(Connection connection, Dialect dialect) throws SQLException {
    if (dialect.tables(connection).contains(TABLE)) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("drop table " + TABLE);
      }
    }
  }
}
