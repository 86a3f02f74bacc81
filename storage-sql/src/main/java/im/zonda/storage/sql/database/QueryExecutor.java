package im.zonda.storage.sql.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import im.zonda.store.StoreException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
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
  private static final int MAX_SEARCHES = 1_000;

  /// A query.
  public interface Query<T extends @Nullable Object> {
    T run(Handle handle) throws SQLException;
  }

  private final Dialect dialect;
  private final ThreadPoolExecutor threads;
  private final Executor searches;
  private final ReaderSource source;
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
    searches = count == 1 ? threads : new SearchLane(threads, count - 1, MAX_SEARCHES);
    source = new ReaderSource(dialect, threads::isShutdown);
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
    return query(query, threads);
  }

  /// The same for a query that may take long, such as a search: one connection is left for other
  /// queries, if there are several.
  ///
  /// @throws StoreException if the query failed, could not be queued, or took too long
  public <T extends @Nullable Object> T search(Query<T> query) {
    return query(query, searches);
  }

  private <T extends @Nullable Object> T query(Query<T> query, Executor executor) {
    FutureTask<T> answer = new FutureTask<>(() -> jdbi().withHandle(query::run));
    try {
      executor.execute(answer);
    } catch (RejectedExecutionException e) {
      if (threads.isShutdown()) {
        throw new StoreException(StoreException.Category.CLOSED, "the store is closed", e);
      }
      throw new StoreException(
          StoreException.Category.OVERLOADED, "too many queries wait already", e);
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
      answer.cancel(false);
      Thread.currentThread().interrupt();
      throw new StoreException(
          StoreException.Category.UNAVAILABLE, "interrupted while waiting for a query", e);
    } catch (ExecutionException e) {
      throw dialect.exception(cause(e));
    }
  }

  /// Why a query failed. The pool knows only that there was no connection in time.
  private Throwable cause(ExecutionException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    SQLException unreachable = source.failure();
    return unreachable != null && SqlFailures.find(cause) instanceof SQLTransientConnectionException
        ? unreachable
        : cause;
  }

  private Jdbi jdbi() {
    synchronized (lock) {
      if (jdbi == null) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("zonda-store");
        config.setDataSource(source);
        config.setMaximumPoolSize(threads.getMaximumPoolSize());
        config.setMinimumIdle(0);
        config.setReadOnly(true);
        // Otherwise the pool asks its first connection, once: if that one breaks meanwhile, the
        // pool
        // sets an isolation of -1 ever after, and no connection can be used.
        config.setTransactionIsolation(dialect.readerIsolation());
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
}
