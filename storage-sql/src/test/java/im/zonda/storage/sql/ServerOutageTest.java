package im.zonda.storage.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.storage.contract.StoresContract;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.StoreException;
import im.zonda.store.StoreState;
import im.zonda.testkit.database.Eventually;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// A database server ends connections, does not answer, or is used by another server: no entry is
/// lost or stored twice, and the store recovers.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#servers")
@Timeout(120)
class ServerOutageTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final int CALL_MILLIS = 700;

  private final TestDatabase database;
  @TempDir Path folder;
  private final InterceptedConnections connections = new InterceptedConnections();

  ServerOutageTest(TestDatabase database) {
    this.database = database;
  }

  private Storage settings() {
    return database.settings(folder, new Storage(true, true, 0, 512));
  }

  private SqlStores open() {
    return SqlStores.open(
        folder,
        settings(),
        Limits.defaults(),
        InstantSource.system(),
        real -> connections.apply(impatient(real)));
  }

  /// Waits for answers for a shorter time.
  private static Connection impatient(Connection real) {
    try {
      real.setNetworkTimeout(Runnable::run, CALL_MILLIS);
      return real;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static MessageLog.Receipt append(SqlStores stores, String body, Keep keep) {
    return stores
        .messages()
        .append(
            new MessageLog.Entry(
                ROMEO,
                stores.messages().nextId(),
                JULIET,
                StoresContract.message(JULIET, ROMEO, body)),
            keep,
            true);
  }

  /// What waits, once the database can be read: after an outage that may take seconds longer than
  /// writing.
  private static List<String> awaitWaiting(SqlStores stores) {
    List<String> found = new ArrayList<>();
    Eventually.await(
        "the database can be read",
        () -> {
          try {
            return found.addAll(waiting(stores));
          } catch (StoreException e) {
            assertThat(e.category()).isEqualTo(StoreException.Category.UNAVAILABLE);
            return false;
          }
        });
    return found;
  }

  private static List<String> waiting(SqlStores stores) {
    return stores.messages().waiting(ROMEO, 0, 10_000).stream().map(StoresContract::body).toList();
  }

  private static void awaitStoring(SqlStores stores) {
    Eventually.await("it stores again", () -> stores.messages().state().ok());
  }

  private long holder() throws SQLException {
    return database.server().lockHolder(name());
  }

  private String name() {
    String url = settings().url();
    return url.substring(url.lastIndexOf('/') + 1);
  }

  @Test
  void aConnectionThatTheServerEndsIsReplaced() throws Exception {
    try (SqlStores stores = open()) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      long before = holder();
      database.server().endSession(before);
      CountDownLatch committed = new CountDownLatch(1);
      append(stores, "x", Keep.ARCHIVE).whenCommitted(committed::countDown);
      assertThat(committed.await(60, TimeUnit.SECONDS)).isTrue();
      awaitStoring(stores);
      assertThat(waiting(stores)).containsExactly("x");
      assertThat(holder()).isPositive().isNotEqualTo(before);
      assertThat(stores.health().counters().failures()).isPositive();
    }
  }

  /// The commit is made, but the answer to it is lost.
  @Test
  void entriesOfACommitWithUnknownOutcomeAreStoredOnce() throws Exception {
    try (SqlStores stores = open()) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      stores.messages().flush();
      AtomicBoolean lost = new AtomicBoolean();
      MessageLog.Receipt[] delivered = new MessageLog.Receipt[2];
      CountDownLatch appended = new CountDownLatch(1);
      connections.before(call -> {
        if (call.equals("commit") && !lost.get()) {
          awaitQuietly(appended);
          lost.set(true);
          Connection real = connections.writer();
          real.commit();
          real.close();
          delivered[0].delivered();
          delivered[1].delivered();
          throw new SQLException("the test's", "08006");
        }
      });
      AtomicInteger committed = new AtomicInteger();
      CountDownLatch all = new CountDownLatch(4);
      Runnable done =
          () -> {
            committed.incrementAndGet();
            all.countDown();
          };
      append(stores, "one", Keep.ARCHIVE).whenCommitted(done);
      append(stores, "two", Keep.UNTIL_DELIVERED).whenCommitted(done);
      delivered[0] = append(stores, "three", Keep.ARCHIVE);
      delivered[0].whenCommitted(done);
      delivered[1] = append(stores, "four", Keep.UNTIL_DELIVERED);
      delivered[1].whenCommitted(done);
      appended.countDown();
      assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
      awaitStoring(stores);
      stores.messages().flush();
      assertThat(lost).isTrue();
      assertThat(committed).hasValue(4);
      assertThat(waiting(stores)).containsExactly("one", "two");
      assertThat(database.number(folder, "select count(*) from message")).isEqualTo(3);
      assertThat(stores.health().counters().lost()).isZero();
    }
  }

  /// One row is there for both, and the index in memory gets what it does not have.
  @Test
  void theArchivesHaveTheEntriesOfACommitWithUnknownOutcomeOnce() throws Exception {
    try (SqlStores stores = open()) {
      stores
          .accounts()
          .create(List.of(StoresContract.account(ROMEO), StoresContract.account(JULIET)));
      stores.messages().flush();
      AtomicBoolean lost = new AtomicBoolean();
      CountDownLatch appended = new CountDownLatch(1);
      MessageLog.Receipt[] delivered = new MessageLog.Receipt[1];
      connections.before(call -> {
        if (call.equals("commit") && !lost.get()) {
          awaitQuietly(appended);
          lost.set(true);
          Connection real = connections.writer();
          real.commit();
          real.close();
          delivered[0].delivered();
          throw new SQLException("the test's", "08006");
        }
      });
      append(stores, "alone", Keep.ARCHIVE);
      appendShared(stores, "both", Keep.ARCHIVE);
      appendShared(stores, "sender's", Keep.UNTIL_DELIVERED);
      delivered[0] = appendShared(stores, "delivered", Keep.UNTIL_DELIVERED);
      CountDownLatch committed = new CountDownLatch(1);
      appendShared(stores, "last", Keep.ARCHIVE).whenCommitted(committed::countDown);
      appended.countDown();
      assertThat(committed.await(60, TimeUnit.SECONDS)).isTrue();
      awaitStoring(stores);
      stores.messages().flush();
      assertThat(lost).isTrue();
      assertThat(database.number(folder, "select count(*) from message")).isEqualTo(5);
      assertThat(archived(stores, ROMEO)).containsExactly("alone", "both", "last");
      assertThat(archived(stores, JULIET)).containsExactly("both", "sender's", "delivered", "last");
      assertThat(waiting(stores)).containsExactly("alone", "both", "sender's", "last");
    }
  }

  /// A message from Juliet to Romeo, for both.
  private static MessageLog.Receipt appendShared(SqlStores stores, String body, Keep keep) {
    long id = stores.messages().nextId();
    Message message = StoresContract.message(JULIET, ROMEO, body);
    return stores
        .messages()
        .append(
            new MessageLog.Entry(ROMEO, id, JULIET, message),
            keep,
            true,
            new MessageLog.Entry(JULIET, id, ROMEO, message));
  }

  private static List<String> archived(SqlStores stores, Jid owner) {
    return stores
        .archive()
        .page(owner, MessageArchive.Filter.ALL, new MessageArchive.Portion(false, 100, 1L << 30))
        .entries()
        .stream()
        .map(StoresContract::body)
        .toList();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aServerThatDoesNotAnswerIsWaitedForAndNothingIsLostOrDoubled() throws Exception {
    try (SqlStores stores = open()) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      CountDownLatch committed = new CountDownLatch(200);
      database.server().suspend();
      try {
        for (int i = 0; i < 200; i++) {
          append(stores, "" + i, Keep.ARCHIVE).whenCommitted(committed::countDown);
        }
        assertThatThrownBy(() -> stores.accounts().remove(JULIET))
            .isInstanceOfSatisfying(
                StoreException.class,
                e -> assertThat(e.category()).isEqualTo(StoreException.Category.UNAVAILABLE));
        assertThat(stores.messages().state().kind()).isEqualTo(StoreState.Kind.FAILING);
        assertThat(committed.getCount()).isEqualTo(200);
      } finally {
        database.server().resume();
      }
      assertThat(committed.await(60, TimeUnit.SECONDS)).isTrue();
      awaitStoring(stores);
      assertThat(awaitWaiting(stores)).hasSize(200).doesNotHaveDuplicates();
    }
  }

  @Test
  void aSecondServerDoesNotStart() throws SQLException {
    try (SqlStores stores = open()) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      assertThatThrownBy(this::open)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("is used by another server")
          .hasMessageNotContaining("secret");
      assertThat(stores.accounts().find(ROMEO)).isNotNull();
    }
    try (SqlStores stores = open()) {
      assertThat(stores.accounts().find(ROMEO)).isNotNull();
    }
  }

  @Test
  void afterAnotherServerHasUsedTheDatabaseNothingIsWritten() throws Exception {
    try (SqlStores stores = open()) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      database.execute(folder, "update zonda_schema set generation = generation + 1");
      database.server().endSession(holder());
      append(stores, "x", Keep.ARCHIVE);
      Eventually.await(
          "it has stopped", () -> stores.messages().state().kind() == StoreState.Kind.STOPPED);
      assertThat(stores.health().reason()).contains("another server");
    }
    assertThat(database.number(folder, "select count(*) from message")).isZero();
  }
}
