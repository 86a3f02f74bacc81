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
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// Failures of the database: no wrong acknowledgement, and the store recovers.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#all")
@Timeout(120)
class FaultTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final Storage SETTINGS = new Storage(true, true, 0, 512);

  private final TestDatabase database;
  @TempDir Path folder;
  private final InterceptedConnections connections = new InterceptedConnections();

  FaultTest(TestDatabase database) {
    this.database = database;
  }

  private SqlStores open(Path data, Limits limits) {
    return SqlStores.open(
        data, database.settings(data, SETTINGS), limits, InstantSource.system(), connections);
  }

  private SqlStores open(Path data) {
    return open(data, Limits.defaults());
  }

  private static MessageLog.Entry entry(SqlStores stores, String body) {
    return new MessageLog.Entry(
        ROMEO, stores.messages().nextId(), JULIET, StoresContract.message(JULIET, ROMEO, body));
  }

  private static List<String> waiting(SqlStores stores) {
    return stores.messages().waiting(ROMEO, 0, 10_000).stream().map(StoresContract::body).toList();
  }

  @Test
  void oneBadEntryDoesNotFailOthers() throws InterruptedException {
    try (SqlStores stores = open(folder)) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      CountDownLatch inside = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      blockNextCommit(inside, go);
      stores.messages().append(entry(stores, "first"), Keep.ARCHIVE, true);
      inside.await();
      // All of these are committed in one group.
      List<String> committed = Collections.synchronizedList(new ArrayList<>());
      MessageLog.Entry twin = entry(stores, "twin");
      for (int i = 0; i < 100; i++) {
        MessageLog.Entry one = i == 50 ? twin : entry(stores, "" + i);
        stores
            .messages()
            .append(one, Keep.ARCHIVE, true)
            .whenCommitted(() -> committed.add(StoresContract.body(one)));
      }
      MessageLog.Entry same =
          new MessageLog.Entry(
              ROMEO, twin.id(), JULIET, StoresContract.message(JULIET, ROMEO, "bad"));
      stores.messages().append(same, Keep.ARCHIVE, true).whenCommitted(() -> committed.add("bad"));
      go.countDown();
      stores.messages().flush();
      assertThat(committed).hasSize(100).contains("twin").doesNotContain("bad");
      assertThat(waiting(stores)).hasSize(101).doesNotContain("bad");
      assertThat(stores.health().counters().lost()).isEqualTo(1);
      assertThat(stores.health().ok()).isTrue();
    }
  }

  @Test
  void whileTheDiskFailsNothingIsAcknowledgedAndAfterwardsEverythingIs() throws Exception {
    try (SqlStores stores = open(folder)) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      stores.messages().append(entry(stores, "before"), Keep.ARCHIVE, true);
      MessageLog.Entry old = stores.messages().waiting(ROMEO, 0, 10).getFirst();
      connections.before(this::failCommit);
      CountDownLatch committed = new CountDownLatch(20);
      for (int i = 0; i < 20; i++) {
        stores
            .messages()
            .append(entry(stores, "" + i), i % 2 == 0 ? Keep.ARCHIVE : Keep.UNTIL_DELIVERED, true)
            .whenCommitted(committed::countDown);
      }
      assertThatThrownBy(() -> stores.messages().flush())
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.category()).isEqualTo(StoreException.Category.UNAVAILABLE));
      assertThat(committed.getCount()).isEqualTo(20);
      assertThat(stores.messages().congested()).isFalse(); // a matter of bytes only
      assertThat(stores.health().ok()).isFalse();
      assertThat(stores.health().category()).isEqualTo(StoreException.Category.UNAVAILABLE);
      StoreState state = stores.messages().state();
      assertThat(state.kind()).isEqualTo(StoreState.Kind.FAILING);
      assertThat(state.since()).isEqualTo(stores.health().failingSince()).isNotNull();
      assertThat(state.cause()).isEqualTo(StoreException.Category.UNAVAILABLE);
      assertThat(state.acceptsForLater()).isTrue();
      // Reading still works and includes uncommitted entries.
      assertThat(waiting(stores)).hasSize(21).startsWith("before", "0", "1");
      assertThat(stores.messages().waitingCount(ROMEO)).isEqualTo(21);
      assertThat(stores.messages().waiting(ROMEO, old.id(), 3)).hasSize(3);
      stores.messages().delivered(ROMEO, List.of(old.id()));
      assertThat(waiting(stores)).hasSize(20).startsWith("0", "1");

      connections.before(call -> {});
      assertThat(committed.await(10, TimeUnit.SECONDS)).isTrue();
      stores.messages().flush();
      assertThat(stores.messages().state()).isEqualTo(StoreState.STORING);
      assertThat(stores.health().ok()).isTrue();
      assertThat(waiting(stores)).hasSize(20).startsWith("0", "1");
    }
  }

  @Test
  void afterAFailedFlushNothingIsWrittenUntilTheNextStart() {
    assumeTrue(database == TestDatabase.SQLITE, "a database server stops by itself");
    List<String> committed = Collections.synchronizedList(new ArrayList<>());
    try (SqlStores stores = open(folder)) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      AtomicInteger fails = new AtomicInteger();
      connections.before(call -> {
        if (call.equals("commit") && fails.getAndIncrement() == 0) {
          throw new SQLiteException("the test's", SQLiteErrorCode.SQLITE_IOERR_FSYNC);
        }
      });
      for (int attempt = 0; attempt < 3; attempt++) {
        stores
            .messages()
            .append(entry(stores, "lost"), Keep.ARCHIVE, true)
            .whenCommitted(() -> committed.add("lost"));
        assertThatThrownBy(() -> stores.messages().flush()).isInstanceOf(StoreException.class);
      }
      assertThat(stores.health().reason()).contains("flush");
      assertThat(stores.messages().state().kind()).isEqualTo(StoreState.Kind.STOPPED);
      assertThat(stores.messages().state().acceptsForLater()).isFalse();
      assertThat(stores.accounts().find(ROMEO)).isNotNull();
    }
    assertThat(committed).isEmpty();
    connections.before(call -> {});
    try (SqlStores stores = open(folder)) {
      assertThat(waiting(stores)).isEmpty();
      stores.messages().append(entry(stores, "new"), Keep.ARCHIVE, true);
      assertThat(waiting(stores)).containsExactly("new");
    }
  }

  @Test
  void theQueueIsBoundedAndReportsCongestion() throws Exception {
    Limits limits = TestStores.limits(100_000);
    try (SqlStores stores = open(folder, limits)) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      CountDownLatch inside = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      blockNextCommit(inside, go);
      stores.messages().append(entry(stores, "x"), Keep.ARCHIVE, true);
      inside.await();
      int taken = 0;
      String text = "t".repeat(1_000);
      StoreException refusal = null;
      while (refusal == null) {
        boolean before = stores.messages().congested();
        long bytes = stores.health().queuedBytes();
        assertThat(before).isEqualTo(bytes > limits.logQueueBytes() / 4 * 3);
        try {
          stores.messages().append(entry(stores, text), Keep.ARCHIVE, true);
          taken++;
        } catch (StoreException e) {
          refusal = e;
        }
      }
      assertThat(refusal.category()).isEqualTo(StoreException.Category.OVERLOADED);
      assertThat(taken).isBetween(50, 100);
      assertThat(stores.health().queuedBytes()).isLessThanOrEqualTo(limits.logQueueBytes());
      CountDownLatch relief = new CountDownLatch(1);
      stores.messages().onRelief(relief::countDown);
      assertThat(relief.getCount()).isEqualTo(1);
      go.countDown();
      assertThat(relief.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(waiting(stores)).hasSize(taken + 1);
      assertThat(stores.health().queuedBytes()).isZero();
      boolean[] now = new boolean[1];
      stores.messages().onRelief(() -> now[0] = true);
      assertThat(now[0]).isTrue();
    }
  }

  @Test
  void aDeliveryDuringTheCommitIsNotForgotten() throws InterruptedException {
    try (SqlStores stores = open(folder)) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      CountDownLatch inside = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      blockNextCommit(inside, go);
      MessageLog.Receipt kept = stores.messages().append(entry(stores, "x"), Keep.ARCHIVE, true);
      inside.await();
      MessageLog.Receipt skipped =
          stores.messages().append(entry(stores, "y"), Keep.UNTIL_DELIVERED, true);
      kept.delivered();
      skipped.delivered();
      go.countDown();
      assertThat(waiting(stores)).isEmpty();
    }
  }

  @Test
  void closingWhileTheDiskFailsEndsAndAcknowledgesNothing() {
    List<String> committed = Collections.synchronizedList(new ArrayList<>());
    SqlStores stores = open(folder);
    stores.accounts().create(List.of(StoresContract.account(ROMEO)));
    connections.before(this::failCommit);
    stores
        .messages()
        .append(entry(stores, "x"), Keep.ARCHIVE, true)
        .whenCommitted(() -> committed.add("x"));
    stores.close();
    assertThat(committed).isEmpty();
  }

  @Test
  void anActionThatWaitsForTheStoreFailsInsteadOfStoppingIt() {
    try (SqlStores stores = open(folder)) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
      CountDownLatch inside = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      blockNextCommit(inside, go);
      stores
          .messages()
          .append(entry(stores, "x"), Keep.ARCHIVE, true)
          .whenCommitted(() -> {
            try {
              stores.messages().flush();
            } catch (IllegalStateException e) {
              thrown.add(e);
            }
          });
      go.countDown();
      stores.messages().flush();
      assertThat(thrown).hasSize(1);
      assertThat(waiting(stores)).containsExactly("x");
    }
  }

  private void blockNextCommit(CountDownLatch inside, CountDownLatch go) {
    AtomicInteger commits = new AtomicInteger();
    connections.before(call -> {
      if (call.equals("commit") && commits.getAndIncrement() == 0) {
        inside.countDown();
        try {
          go.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    });
  }

  private void failCommit(String call) throws SQLException {
    if (call.equals("commit")) {
      throw database.failure(TestDatabase.Fault.WRITE, "the test's");
    }
  }
}
