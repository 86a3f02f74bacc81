package im.zonda.storage.sql.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import im.zonda.store.StoreException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs queries on a few threads with read-only connections. The callers are virtual threads, of
/// which there may be thousands.
public final class QueryExecutor implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(QueryExecutor.class);
  private static final int MAX_WAITING = 20_000;

  /// A query.
  public interface Query<T extends @Nullable Object> {
    T run(Handle handle) throws SQLException;
  }

  private final Dialect dialect;
  private final ThreadPoolExecutor threads;
  private final Object lock = new Object();
  private @Nullable HikariDataSource pool;
  private @Nullable Jdbi jdbi;

  /// Creates the threads, each of which gets a connection.
  public QueryExecutor(Dialect dialect) {
    this.dialect = dialect;
    int count = dialect.readers();
    AtomicInteger number = new AtomicInteger();
    threads =
        new ThreadPoolExecutor(
            count,
            count,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            task ->
                dialect.newReaderThread("zonda-store-reader-" + number.incrementAndGet(), task));
  }

  /// Runs a sample query in the background to load the classes that the first query needs.
  public void warmUp(Query<?> sample) {
    threads.execute(() -> {
      try {
        jdbi().useHandle(sample::run);
      } catch (SQLException | RuntimeException e) {
        log.atWarn().setCause(e).log("store_warm_up_failed");
      }
    });
  }

  /// Runs the query and waits for its result, as long as the dialect says.
  ///
  /// @throws StoreException if the query failed, could not be queued, or took too long
  public <T extends @Nullable Object> T query(Query<T> query) {
    Future<T> answer;
    try {
      answer = threads.submit(() -> jdbi().withHandle(query::run));
    } catch (RejectedExecutionException e) {
      if (threads.isShutdown()) {
        throw new StoreException(StoreException.Category.CLOSED, "the store is closed", e);
      }
      throw new StoreException(
          StoreException.Category.OVERLOADED, MAX_WAITING + " queries wait already", e);
    }
    int limit = dialect.queryMillis();
    try {
      return limit == 0 ? answer.get() : answer.get(limit, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(false); // an interrupt would break the connection
      throw new StoreException(
          StoreException.Category.UNAVAILABLE,
          dialect.name() + " has not answered a query within " + limit + " ms",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException(
          StoreException.Category.UNAVAILABLE, "interrupted while waiting for a query", e);
    } catch (ExecutionException e) {
      throw dialect.exception(e.getCause() == null ? e : e.getCause());
    }
  }

  private Jdbi jdbi() {
    synchronized (lock) {
      if (jdbi == null) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("zonda-store");
        config.setDataSource(new ReaderSource(dialect));
        config.setMaximumPoolSize(threads.getMaximumPoolSize());
        config.setMinimumIdle(0);
        config.setReadOnly(true);
        config.setMaxLifetime(0); // connections to a file do not expire
        config.setIdleTimeout(0);
        config.setInitializationFailTimeout(-1);
        config.setConnectionTimeout(5_000);
        pool = new HikariDataSource(config);
        jdbi = Jdbi.create(pool);
      }
      return jdbi;
    }
  }

  /// Completes the queued queries and closes the connections.
  @Override
  public void close() {
    threads.close();
    synchronized (lock) {
      if (pool != null) {
        pool.close();
      }
    }
  }

  /// Opens the pool's connections.
  private record ReaderSource(Dialect dialect) implements DataSource {
    @Override
    public Connection getConnection() throws SQLException {
      return dialect.openReader();
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
}
