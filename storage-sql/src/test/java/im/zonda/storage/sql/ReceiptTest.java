package im.zonda.storage.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Each ending of a receipt is called exactly once.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#all")
@Timeout(60)
class ReceiptTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");

  private final TestDatabase database;
  @TempDir Path folder;
  private final InterceptedConnections connections = new InterceptedConnections();
  private final List<String> heard = Collections.synchronizedList(new ArrayList<>());

  ReceiptTest(TestDatabase database) {
    this.database = database;
  }

  private SqlStores open() {
    return open(Limits.defaults());
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

  private MessageLog.Receipt append(SqlStores stores, long id, Keep keep) {
    return stores
        .messages()
        .append(
            new MessageLog.Entry(ROMEO, id, JULIET, StoresContract.message(JULIET, ROMEO, "x")),
            keep,
            true);
  }

  private MessageLog.Ending ending(String name) {
    return new MessageLog.Ending() {
      @Override
      public void committed() {
        heard.add(name + " committed");
      }

      @Override
      public void failed(StoreException cause) {
        heard.add(name + " failed " + cause.category());
      }
    };
  }

  @Test
  void endingsAreNotifiedOnceInOrderAndLaterOnesImmediately() {
    try (SqlStores stores = open()) {
      CountDownLatch go = holdNextCommit();
      MessageLog.Receipt receipt = append(stores, stores.messages().nextId(), Keep.ARCHIVE);
      for (String name : List.of("one", "two", "three")) {
        receipt.whenEnded(ending(name));
      }
      assertThat(heard).isEmpty();
      go.countDown();
      stores.messages().flush();
      assertThat(heard).containsExactly("one committed", "two committed", "three committed");
      receipt.whenEnded(ending("four"));
      assertThat(heard).hasSize(4).endsWith("four committed");
    }
  }

  @Test
  void anEndingOfSeveralEntriesIsCalledForEach() {
    try (SqlStores stores = open()) {
      MessageLog.Ending both = ending("x");
      append(stores, stores.messages().nextId(), Keep.ARCHIVE).whenEnded(both);
      append(stores, stores.messages().nextId(), Keep.ARCHIVE).whenEnded(both);
      stores.messages().flush();
      assertThat(heard).containsExactly("x committed", "x committed");
    }
  }

  @Test
  void aFaultyEntryFailsForEarlierAndLaterEndings() {
    try (SqlStores stores = open()) {
      long id = stores.messages().nextId();
      append(stores, id, Keep.ARCHIVE);
      CountDownLatch go = holdNextCommit();
      MessageLog.Receipt same = append(stores, id, Keep.ARCHIVE);
      same.whenEnded(ending("one"));
      same.whenEnded(ending("two"));
      same.whenCommitted(() -> heard.add("a lie"));
      go.countDown();
      stores.messages().flush();
      assertThat(heard).containsExactly("one failed REJECTED", "two failed REJECTED");
      same.whenEnded(ending("three"));
      same.whenCommitted(() -> heard.add("a lie"));
      assertThat(heard).hasSize(3).endsWith("three failed REJECTED");
      assertThat(stores.health().ok()).isTrue();
    }
  }

  @Test
  void deliveredBeforeItsCommitOrWithoutAnAccountCountsAsDone() {
    try (SqlStores stores = open()) {
      MessageLog.Receipt receipt = append(stores, stores.messages().nextId(), Keep.UNTIL_DELIVERED);
      receipt.delivered();
      receipt.whenEnded(ending("delivered"));
      stores.accounts().remove(ROMEO);
      append(stores, stores.messages().nextId(), Keep.ARCHIVE).whenEnded(ending("removed"));
      stores.messages().flush();
      assertThat(heard).containsExactly("delivered committed", "removed committed");
    }
  }

  @Test
  void closingAStoreThatCannotWriteFailsWhatItHolds() {
    SqlStores stores = open();
    connections.before(call -> {
      if (call.equals("commit")) {
        throw database.failure(TestDatabase.Fault.WRITE, "the test's");
      }
    });
    for (int i = 0; i < 600; i++) { // more than one group
      append(stores, stores.messages().nextId(), Keep.ARCHIVE).whenEnded(ending("x"));
    }
    stores.close();
    assertThat(heard).hasSize(600).containsOnly("x failed CLOSED");
  }

  @Test
  void aWriterThatDiesFailsAllThatWaits() {
    try (SqlStores stores = open()) {
      CountDownLatch go = holdNextCommit();
      append(stores, stores.messages().nextId(), Keep.ARCHIVE).whenEnded(ending("first"));
      connections.before(call -> {
        if (call.equals("rollback")) {
          throw new IllegalStateException("a defect of the test");
        } else if (call.startsWith("execute") || call.equals("commit")) {
          throw new SQLException("the test's");
        }
      });
      go.countDown();
      assertThatThrownBy(() -> stores.messages().flush()).isInstanceOf(StoreException.class);
      assertThatThrownBy(() -> append(stores, stores.messages().nextId(), Keep.ARCHIVE))
          .isInstanceOf(StoreException.class);
    }
    assertThat(heard).hasSize(1);
  }

  @Test
  void appendsThatRaceWithTheEndGetAnOutcome() throws InterruptedException {
    for (int round = 0; round < (database == TestDatabase.SQLITE ? 20 : 5); round++) {
      heard.clear();
      SqlStores stores = open(TestStores.limits(100_000)); // what is queued is stored at the end
      AtomicInteger appended = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      CountDownLatch busy = new CountDownLatch(200);
      for (int i = 0; i < 4; i++) {
        threads.add(
            Thread.ofPlatform()
                .start(() -> {
                  while (appendUnlessClosed(stores)) {
                    appended.incrementAndGet();
                    busy.countDown();
                  }
                }));
      }
      busy.await();
      stores.close();
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(heard).hasSize(appended.get());
    }
  }

  /// Appends an entry as soon as the queue has room. Returns false if the store is closed.
  private boolean appendUnlessClosed(SqlStores stores) {
    while (true) {
      try {
        append(stores, stores.messages().nextId(), Keep.UNTIL_DELIVERED).whenEnded(ending("x"));
        return true;
      } catch (StoreException e) {
        if (e.category() == StoreException.Category.CLOSED) {
          return false;
        }
        assertThat(e.category()).isEqualTo(StoreException.Category.OVERLOADED);
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  private CountDownLatch holdNextCommit() {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger commits = new AtomicInteger();
    connections.before(call -> {
      if (call.equals("commit") && commits.getAndIncrement() == 0) {
        try {
          go.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    });
    return go;
  }
}
