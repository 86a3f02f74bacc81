package im.zonda.storage.sql.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.storage.sql.TestDatabase;
import im.zonda.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Queries that wait for a connection.
@Timeout(60)
class QueryExecutorTest {
  @TempDir Path folder;

  /// A database with one connection for queries, whose answers may take `millis` ms.
  private Dialect dialect(int millis) {
    return dialect(millis, () -> false);
  }

  private int readers = 1;

  /// @param away whether the database cannot be reached; asked before each connection for queries
  private Dialect dialect(int millis, BooleanSupplier away) {
    Dialect real = TestDatabase.SQLITE.dialect(folder);
    return (Dialect)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Dialect.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "queryMillis" -> millis;
                  case "readers" -> readers;
                  default -> {
                    if (method.getName().equals("openReader") && away.getAsBoolean()) {
                      throw new SQLException("the address is refused", "08001");
                    }
                    try {
                      yield method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                      throw e.getCause();
                    }
                  }
                });
  }

  @Test
  void aQueryThatNoConnectionIsFreeForIsAnsweredWithAnError() throws Exception {
    Dialect dialect = dialect(1_000);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    try (var _ = dialect.open();
        QueryExecutor queries = new QueryExecutor(dialect)) {
      Thread slow =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  queries.query(_ -> {
                    begun.countDown();
                    awaitQuietly(free);
                    return 0;
                  });
                } catch (StoreException e) {
                  // It takes too long, too.
                }
              });
      begun.await();
      assertThatThrownBy(() -> queries.query(_ -> 1))
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.category()).isEqualTo(StoreException.Category.UNAVAILABLE))
          .hasMessageContaining("has not answered a query within 1000 ms");
      slow.join();
      free.countDown();
      int answer = queries.query(_ -> 2);
      assertThat(answer).isEqualTo(2);
    }
  }

  /// The pool's own pauses between that many attempts would add up to minutes.
  @Test
  void aDatabaseThatIsBackIsReadSoonHoweverLongItWasAway() throws Exception {
    AtomicInteger failures = new AtomicInteger(30);
    Dialect dialect = dialect(0, () -> failures.getAndDecrement() > 0);
    try (var _ = dialect.open();
        QueryExecutor queries = new QueryExecutor(dialect)) {
      int answer = queries.query(_ -> 1);
      assertThat(answer).isEqualTo(1);
      assertThat(failures).hasNegativeValue();
    }
  }

  @Test
  void theErrorSaysWhyTheDatabaseCannotBeReached() throws Exception {
    Dialect dialect = dialect(0, () -> true);
    try (var _ = dialect.open();
        QueryExecutor queries = new QueryExecutor(dialect)) {
      assertThatThrownBy(() -> queries.query(_ -> 1))
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.category()).isEqualTo(StoreException.Category.UNAVAILABLE))
          .hasMessageContaining("the address is refused");
    }
  }

  /// Searches that never end wait for each other, not others for them.
  @Test
  void searchesLeaveAConnectionForOtherQueries() throws Exception {
    readers = 2;
    Dialect dialect = dialect(0);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try (var _ = dialect.open();
        QueryExecutor queries = new QueryExecutor(dialect);
        var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> searches = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        int number = i;
        searches.add(
            callers.submit(() ->
                queries.search(_ -> {
                  most.accumulateAndGet(running.incrementAndGet(), Math::max);
                  begun.countDown();
                  awaitQuietly(free);
                  running.decrementAndGet();
                  return number;
                })));
      }
      begun.await();
      for (int i = 0; i < 10; i++) {
        int answer = queries.query(_ -> 1);
        assertThat(answer).isEqualTo(1);
      }
      free.countDown();
      for (int i = 0; i < 20; i++) {
        assertThat(searches.get(i).get()).isEqualTo(i);
      }
      assertThat(most).hasValue(1);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
