package im.zonda.storage.sql.database;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// Opens the connections for queries. While the database is away it tries again and again, a few
/// times a second: the pool itself would wait longer after each failure, up to 5 seconds, and
/// nothing could be read for that time after the database is back.
final class ReaderSource implements DataSource {
  private static final long PAUSE_MILLIS = 100;

  private final Dialect dialect;
  private final BooleanSupplier closed;
  private volatile @Nullable SQLException failure;

  /// @param closed whether no one waits for a connection
  ReaderSource(Dialect dialect, BooleanSupplier closed) {
    this.dialect = dialect;
    this.closed = closed;
  }

  /// Why the last attempt has failed; null if it has not.
  @Nullable SQLException failure() {
    return failure;
  }

  /// Blocks until there is a connection, or the queries are closed.
  @Override
  public Connection getConnection() throws SQLException {
    while (true) {
      try {
        Connection opened = dialect.openReader();
        failure = null;
        return opened;
      } catch (SQLException e) {
        failure = e;
        if (closed.getAsBoolean()) {
          throw e;
        }
      }
      pause();
    }
  }

  private static void pause() throws SQLException {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the pool is being closed
      throw new SQLException(e);
    }
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return getConnection();
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 5; // seconds; the pool waits this long for its threads when it is closed
  }

  @Override
  public java.util.logging.Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("not a wrapper of " + type.getName());
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
