package im.zonda.storage.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.StoreException;
import im.zonda.store.StoreState;
import im.zonda.testkit.database.Eventually;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.sqlite.BusyHandler;

/// The database is slow or unavailable: entries wait, no outcome is wrong, and everything is
/// written when it is available again.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#all")
@Timeout(120)
class OutageTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");

  private final TestDatabase database;
  @TempDir Path folder;
  private final InterceptedConnections connections = new InterceptedConnections();

  OutageTest(TestDatabase database) {
    this.database = database;
  }

  private SqlStores open(Limits limits) {
    SqlStores stores =
        SqlStores.open(
            folder,
            database.settings(folder, new Storage(true, true, 0, 512)),
            limits,
            InstantSource.system(),
            connections);
    stores.accounts().create(List.of(StoresContract.account(ROMEO)));
    return stores;
  }

  private static MessageLog.Receipt append(SqlStores stores, String body) {
    return stores
        .messages()
        .append(
            new MessageLog.Entry(
                ROMEO,
                stores.messages().nextId(),
                JULIET,
                StoresContract.message(JULIET, ROMEO, body)),
            Keep.ARCHIVE,
            true);
  }

  /// A reader has the lock for writing for a moment when it finds the index of the write-ahead log
  /// half written. SQLite calls the handler only where it would wait for such a lock.
  @Test
  void aChangeThatReadsFirstWaitsForTheLockOfAnotherConnection() throws Exception {
    assumeTrue(database == TestDatabase.SQLITE, "a server has no lock of that kind");
    AtomicInteger waits = new AtomicInteger();
    try (SqlStores stores = open(Limits.defaults());
        Connection other = DriverManager.getConnection("jdbc:sqlite:" + folder + "/zonda.db");
        Statement statement = other.createStatement()) {
      append(stores, "old");
      stores.messages().flush();
      long id = stores.messages().waiting(ROMEO, 0, 1).getFirst().id();
      BusyHandler.setHandler(
          connections.writer(),
          new BusyHandler() {
            @Override
            protected int callback(int count) throws SQLException {
              waits.incrementAndGet();
              statement.execute("commit");
              return 1; // try again
            }
          });
      statement.execute("begin immediate");
      boolean replaced =
          stores.archive().replace(ROMEO, id, StoresContract.message(JULIET, ROMEO, "new"));
      assertThat(replaced).isTrue();
      assertThat(waits).hasValue(1);
    }
  }

  @Test
  void aMinuteOfAThousandMessagesASecondWaitsForADatabaseThatAnotherHasLocked() throws Exception {
    assumeTrue(database == TestDatabase.SQLITE, "a server has no lock of that kind");
    int rows = 2 * 60 * 1_000; // the receiver's and the sender's
    AtomicInteger committed = new AtomicInteger();
    try (SqlStores stores = open(Limits.defaults());
        Connection other = DriverManager.getConnection("jdbc:sqlite:" + folder + "/zonda.db");
        Statement statement = other.createStatement()) {
      statement.execute("begin immediate");
      String text = "a".repeat(100);
      for (int i = 0; i < rows; i++) {
        append(stores, text).whenCommitted(committed::incrementAndGet);
      }
      assertThatThrownBy(() -> stores.messages().flush())
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.category()).isEqualTo(StoreException.Category.UNAVAILABLE));
      assertThat(stores.messages().state().kind()).isEqualTo(StoreState.Kind.FAILING);
      assertThat(stores.messages().state().acceptsForLater()).isTrue();
      assertThat(stores.messages().congested()).isFalse();
      assertThat(committed).hasValue(0);
      assertThat(stores.messages().waitingCount(ROMEO)).isEqualTo(rows);

      statement.execute("rollback");
      Eventually.await("it stores again", () -> stores.messages().state().ok());
      stores.messages().flush();
      assertThat(committed).hasValue(rows);
      assertThat(stores.messages().waitingCount(ROMEO)).isEqualTo(rows);
    }
  }

  @Test
  void whileEachCommitTakesLongEntriesWaitAndEachIsAcknowledgedByItsOwnCommit() throws Exception {
    Semaphore begun = new Semaphore(0);
    Semaphore allowed = new Semaphore(0);
    AtomicInteger committed = new AtomicInteger();
    try (SqlStores stores = open(Limits.defaults())) {
      stores.messages().nextId();
      stores.messages().flush(); // the first id costs a commit of its own
      connections.before(call -> {
        if (call.equals("commit")) {
          begun.release();
          allowed.acquireUninterruptibly();
        }
      });
      try {
        inOneCommitAfterTheOther(stores, begun, allowed, committed);
      } finally {
        connections.before(call -> {});
        allowed.release(1_000); // or the writer never ends
      }
      stores.messages().flush();
      assertThat(committed).hasValue(501);
    }
  }

  private static void inOneCommitAfterTheOther(
      SqlStores stores, Semaphore begun, Semaphore allowed, AtomicInteger committed)
      throws InterruptedException {
    append(stores, "first").whenCommitted(committed::incrementAndGet);
    begun.acquire();
    for (int commit = 0; commit < 5; commit++) {
      int before = committed.get();
      CountDownLatch last = new CountDownLatch(1);
      for (int i = 0; i < 100; i++) {
        MessageLog.Receipt receipt = append(stores, commit + "/" + i);
        receipt.whenCommitted(committed::incrementAndGet);
        receipt.whenCommitted(last::countDown);
      }
      assertThat(stores.messages().congested()).isFalse();
      assertThat(committed).hasValue(before);
      allowed.release(); // what was in the transaction that had begun before
      begun.acquire();
      assertThat(committed).hasValue(1 + 100 * commit);
      assertThat(last.getCount()).isEqualTo(1);
    }
  }

  @Test
  void aFullQueueRejectsEntriesAndKeepsAcceptedOnes() throws Exception {
    Limits limits = TestStores.limits(200_000);
    AtomicInteger committed = new AtomicInteger();
    try (SqlStores stores = open(limits)) {
      connections.before(call -> {
        if (call.equals("commit")) {
          throw database.failure(TestDatabase.Fault.BUSY, "the test's");
        }
      });
      int taken = 0;
      StoreException refusal = null;
      while (refusal == null) {
        try {
          append(stores, "b".repeat(1_000)).whenCommitted(committed::incrementAndGet);
          taken++;
        } catch (StoreException e) {
          refusal = e;
        }
      }
      assertThat(refusal.category()).isEqualTo(StoreException.Category.OVERLOADED);
      assertThatThrownBy(() -> stores.messages().flush()).isInstanceOf(StoreException.class);
      assertThat(stores.messages().congested()).isTrue();
      assertThat(committed).hasValue(0);
      CountDownLatch relief = new CountDownLatch(1);
      stores.messages().onRelief(relief::countDown);
      assertThat(relief.getCount()).isEqualTo(1);
      connections.before(call -> {});
      relief.await();
      stores.messages().flush();
      assertThat(committed).hasValue(taken);
      assertThat(stores.messages().waitingCount(ROMEO)).isEqualTo(taken);
    }
  }
}
