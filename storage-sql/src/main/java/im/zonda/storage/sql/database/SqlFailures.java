package im.zonda.storage.sql.database;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// Finds the failure of the database in a chain of causes.
public final class SqlFailures {
  private SqlFailures() {}

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
