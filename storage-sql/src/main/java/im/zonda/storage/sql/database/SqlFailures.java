package im.zonda.storage.sql.database;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds the failure of the database in a chain of causes.
public final class SqlFailures {
  /// PostgreSQL: ended by an administrator. MariaDB: ended, before or while a statement runs.
  private static final Set<String> ENDED = Set.of("57P01", "70100", "08000");

  private SqlFailures() {}

  /// Whether the database has ended the session, or its connection broke.
  public static boolean isEndedSession(Throwable failure) {
    SQLException sql = find(failure);
    String state = sql == null ? null : sql.getSQLState();
    return state != null && ENDED.contains(state);
  }

  /// The first SQL exception, or null if there is none.
  public static @Nullable SQLException find(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return sql;
      }
    }
    return null;
  }
}
