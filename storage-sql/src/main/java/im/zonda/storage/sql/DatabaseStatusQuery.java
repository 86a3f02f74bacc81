package im.zonda.storage.sql;

import im.zonda.storage.sql.database.CopyMark;
import im.zonda.storage.sql.database.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads what a database has, whatever the version of its schema. Changes nothing.
///
/// @param connection a connection that only reads
/// @param words whether full-text search is on
record DatabaseStatusQuery(Dialect dialect, Connection connection, boolean words) {
  /// Those of accounts and rooms: the others are of domains, queues and removed rooms.
  private static final String OWNERS = "select count(*) from account where local not like '/%'";

  private static final String ROOMS = "select count(*) from room";
  private static final String MESSAGES = "select count(*) from message";
  private static final String WAITING = "select count(*) from message where waiting = 1";
  private static final String NOT_INDEXED =
      "select count(*) from message where id > (select indexed_to from archive_mark)";
  private static final String NO_WORDS =
      "select count(*) from message where id > (select text_to from archive_mark)";

  DatabaseStatus read() throws SQLException {
    dialect.allowLongCalls(connection);
    Set<String> tables = dialect.tables(connection);
    long rooms = tables.contains("room") ? number(ROOMS) : 0;
    boolean log = tables.contains("message");
    boolean index = tables.contains("archive_mark");
    return new DatabaseStatus(
        dialect.name(),
        dialect.product(),
        dialect.schemaVersion(connection),
        dialect.schema().newest(),
        dialect.size(connection),
        dialect.isTaken(connection),
        copyOf(),
        new DatabaseStatus.Counts(
            tables.contains("account") ? number(OWNERS) - rooms : 0,
            rooms,
            log ? number(MESSAGES) : 0,
            log ? number(WAITING) : 0),
        new DatabaseStatus.Indexes(
            index ? number(NOT_INDEXED) : 0, words ? (Long) (index ? number(NO_WORDS) : 0) : null));
  }

  private @Nullable String copyOf() throws SQLException {
    CopyMark.Copy copy = CopyMark.find(connection, dialect);
    if (copy == null || copy.complete()) {
      return null;
    }
    return copy.source() == null ? "another database" : copy.source();
  }

  private long number(String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }
}
