package im.zonda.storage.sql.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.InterceptedConnections;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.store.MessageArchive.Filter;
import im.zonda.store.MessageArchive.Portion;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.MessageLog.Receipt;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Two nodes change the same rows at the same time, or one of them fails or stops in a transaction:
/// nothing is lost, and the other continues.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#servers")
@Timeout(120)
class NodeFaultTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final int ROUNDS = 20;

  private final TestDatabase database;
  @TempDir Path folder;
  private final InterceptedConnections connections = new InterceptedConnections();
  private final List<SqlStores> opened = new ArrayList<>();

  /// Romeo's home, and Juliet's.
  private SqlStores first;

  private SqlStores second;

  @SuppressWarnings("NullAway.Init") // opened before each test
  NodeFaultTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void open() {
    first = node("first", connections);
    second = node("second", UnaryOperator.identity());
    first.accounts().create(List.of(StoresContract.account(ROMEO), StoresContract.account(JULIET)));
  }

  private SqlStores node(String name, UnaryOperator<Connection> wrapper) {
    SqlStores node = TestDatabase.openNode(folder, settings(), name, wrapper);
    opened.add(node);
    return node;
  }

  private Storage settings() {
    return database.settings(folder, new Storage(true, true, 0, 512, true));
  }

  @AfterEach
  void close() {
    opened.forEach(SqlStores::close);
  }

  /// A message from Juliet to Romeo in one row; returns its id.
  private long share(String body) {
    return share(second.messages().nextId(), body);
  }

  private long share(long id, String body) {
    Message message = StoresContract.message(JULIET, ROMEO, body);
    Receipt receipt =
        first
            .messages()
            .append(
                new Entry(ROMEO, id, JULIET, message),
                Keep.ARCHIVE,
                true,
                new Entry(JULIET, id, ROMEO, message));
    first.messages().flush();
    receipt.delivered();
    first.messages().flush();
    return id;
  }

  private static List<String> archive(SqlStores node, Jid owner) {
    return node
        .archive()
        .page(owner, Filter.ALL, new Portion(false, 1_000, Long.MAX_VALUE))
        .entries()
        .stream()
        .map(StoresContract::body)
        .toList();
  }

  /// Runs both at the same time.
  private static void together(Runnable one, Runnable other) throws Exception {
    CountDownLatch ready = new CountDownLatch(2);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<?>> ends = new ArrayList<>();
      for (Runnable each : List.of(one, other)) {
        ends.add(
            threads.submit(() -> {
              ready.countDown();
              awaitQuietly(ready);
              each.run();
            }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void bothPartsOfARowAreRemovedAtOnce() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < 20; i++) {
        share("word" + i);
      }
      together(
          () -> first.archive().purge(ROMEO, Long.MAX_VALUE, 0, 1_000),
          () -> second.archive().purge(JULIET, Long.MAX_VALUE, 0, 1_000));
      for (String table : List.of("message", "archive_chunk", "archive_text")) {
        assertThat(database.number(folder, "select count(*) from " + table)).as(table).isZero();
      }
    }
  }

  @Test
  void bothPartsOfARowAreReplacedAtOnce() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      long id = share("word" + round);
      String received = "received" + round;
      String sent = "sent" + round;
      together(
          () -> first.archive().replace(ROMEO, id, StoresContract.message(JULIET, ROMEO, received)),
          () -> second.archive().replace(JULIET, id, StoresContract.message(JULIET, ROMEO, sent)));
      assertThat(archive(first, ROMEO).getLast()).isEqualTo(received);
      assertThat(archive(second, JULIET).getLast()).isEqualTo(sent);
    }
  }

  /// The sender's part of a message is stored by the receiver's node, which may be late.
  @Test
  void aCopyThatIsStoredAfterAPurgeIsFound() {
    long id = second.messages().nextId();
    append(second, JULIET, "later");
    second.messages().flush();
    second.messages().delivered(JULIET, waiting());
    second.messages().flush();
    assertThat(second.archive().purge(JULIET, Long.MAX_VALUE, 0, 10)).isOne();
    share(id, "earlier");
    assertThat(archive(second, JULIET)).containsExactly("earlier");
  }

  private List<Long> waiting() {
    return second.messages().waiting(JULIET, 0, 10).stream().map(Entry::id).toList();
  }

  @Test
  void aNodeWhoseConnectionIsCutInATransactionHurtsNoOther() {
    AtomicBoolean cut = new AtomicBoolean();
    connections.before(call -> {
      if (call.equals("commit") && cut.compareAndSet(false, true)) {
        connections.writer().close();
        throw new SQLException("the test's", "08006");
      }
    });
    CountDownLatch stored = new CountDownLatch(50);
    for (int i = 0; i < 50; i++) {
      append(first, ROMEO, "word" + i).whenCommitted(stored::countDown);
      append(second, JULIET, "word" + i);
    }
    second.messages().flush();
    assertThat(second.health().counters().failures()).isZero();
    awaitQuietly(stored);
    assertThat(cut).isTrue();
    assertThat(archive(first, ROMEO)).hasSize(50).doesNotHaveDuplicates();
    assertThat(archive(second, JULIET)).hasSize(50).doesNotHaveDuplicates();
  }

  private static Receipt append(SqlStores node, Jid owner, String body) {
    return node.messages()
        .append(
            new Entry(
                owner,
                node.messages().nextId(),
                JULIET,
                StoresContract.message(ROMEO, owner, body)),
            Keep.ARCHIVE,
            true);
  }

  /// The database ends the transaction of a process that does not run.
  @Test
  void aNodeThatStopsInATransactionHoldsRowsForAShortTimeOnly() {
    long id = share("word");
    CountDownLatch resumed = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    connections.before(call -> {
      if (call.equals("commit") && stopped.getCount() > 0) {
        stopped.countDown();
        awaitQuietly(resumed);
      }
    });
    Thread stopping =
        Thread.ofVirtual()
            .start(() ->
                assertThatThrownBy(() ->
                        first
                            .archive()
                            .replace(ROMEO, id, StoresContract.message(JULIET, ROMEO, "lost")))
                    .isInstanceOf(StoreException.class));
    awaitQuietly(stopped);
    assertThat(second.archive().purge(JULIET, Long.MAX_VALUE, 0, 10)).isOne();
    resumed.countDown();
    join(stopping);
    Eventually.await("it stores again", () -> first.messages().state().ok());
    assertThat(archive(first, ROMEO)).containsExactly("word");
    assertThat(archive(second, JULIET)).isEmpty();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aTransactionThatAnotherNodeHindersIsRepeated() {
    AtomicInteger failures = new AtomicInteger(3);
    connections.before(call -> {
      if (call.equals("executeUpdate") && failures.getAndDecrement() > 0) {
        throw database.failure(TestDatabase.Fault.BUSY, "the test's");
      }
    });
    assertThat(first.rosters().remove(ROMEO, JULIET)).isZero();
    long id = share("word");
    assertThat(
            first.archive().replace(ROMEO, id, StoresContract.message(JULIET, ROMEO, "replaced")))
        .isTrue();
    assertThat(failures.get()).isNegative();
    assertThat(first.health().failingSince()).isNull();
  }

  @Test
  void aNodeStopsIfAnotherProcessWithItsNameWasThere() throws InterruptedException {
    assertThat(stateAfter(() -> node("first", UnaryOperator.identity()).close()))
        .isEqualTo(StoreState.Kind.STOPPED);
  }

  @Test
  void aNodeStopsIfAServerWithoutAClusterWasThere() throws InterruptedException {
    second.close();
    assertThat(
            stateAfter(() ->
                SqlStores.open(folder, settings(), Limits.defaults(), InstantSource.system())
                    .close()))
        .isEqualTo(StoreState.Kind.STOPPED);
  }

  @Test
  void aNodeContinuesIfOtherNodesWereThere() throws InterruptedException {
    assertThat(stateAfter(() -> node("third", UnaryOperator.identity()).close()))
        .isEqualTo(StoreState.Kind.STORING);
  }

  private StoreState.Kind stateAfter(Runnable meanwhile) throws InterruptedException {
    CountDownLatch over = new CountDownLatch(1);
    AtomicBoolean cut = new AtomicBoolean();
    connections.before(call -> {
      if (call.equals("commit") && cut.compareAndSet(false, true)) {
        connections.writer().close();
        meanwhile.run();
        over.countDown();
        throw new SQLException("the test's", "08006");
      }
    });
    CountDownLatch stored = new CountDownLatch(1);
    append(first, ROMEO, "word").whenCommitted(stored::countDown);
    over.await();
    Eventually.await(
        "it has stopped, or stored the message",
        () -> first.messages().state().kind() == StoreState.Kind.STOPPED || stored.getCount() == 0);
    return first.messages().state().kind();
  }
}
