package im.zonda.storage.sql.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.Member;
import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.InterceptedConnections;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.storage.sql.server.SqlClusterRows;
import im.zonda.store.AppendedOrigins;
import im.zonda.store.ClusterLog;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.StoreException;
import im.zonda.testkit.database.Eventually;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
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

/// A fenced node writes nothing more, until it is a member again.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#servers")
@Timeout(120)
class FenceTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final Member FIRST = new Member("first", 1);
  private static final Member SECOND = new Member("second", 1);

  private final TestDatabase database;
  @TempDir Path folder;
  private final InterceptedConnections connections = new InterceptedConnections();
  private final CountDownLatch resumed = new CountDownLatch(1);
  private final List<SqlStores> opened = new ArrayList<>();

  private Storage settings;
  private SqlStores first;
  private SqlStores second;
  private SqlClusterRows rows;

  @SuppressWarnings("NullAway.Init") // opened before each test
  FenceTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void open() {
    settings = database.settings(folder, new Storage(true, true, 0, 512, true));
    first = TestDatabase.openNode(folder, settings, "first", connections);
    second = TestDatabase.openNode(folder, settings, "second", UnaryOperator.identity());
    opened.add(first);
    opened.add(second);
    rows = SqlStores.clusterRows(settings, "verona");
    first.accounts().create(List.of(StoresContract.account(ROMEO)));
    assertThat(rows.compareAndSet(0, row(1, FIRST, SECOND))).isTrue();
    assertThat(first.join(1)).isTrue();
    assertThat(second.join(1)).isTrue();
    assertThat(rows.fence(1)).isTrue();
  }

  private static ClusterRow row(long epoch, Member... members) {
    return new ClusterRow(epoch, List.of(members), Map.of("first", 1L, "second", 1L), 0);
  }

  @AfterEach
  void close() {
    connections.before(call -> {});
    resumed.countDown();
    rows.close();
    opened.forEach(SqlStores::close);
  }

  private static CompletableFuture<Boolean> append(SqlStores node, String body) {
    CompletableFuture<Boolean> committed = new CompletableFuture<>();
    StoresContract.append(node, ROMEO, JULIET, body)
        .whenEnded(
            new MessageLog.Ending() {
              @Override
              public void committed() {
                committed.complete(true);
              }

              @Override
              public void failed(StoreException cause) {
                committed.complete(false);
              }
            });
    return committed;
  }

  private List<String> stored() {
    return second.messages().waiting(ROMEO, 0, 100).stream().map(StoresContract::body).toList();
  }

  @Test
  void membersWriteAfterAFence() {
    assertThat(append(first, "first").join()).isTrue();
    assertThat(append(second, "second").join()).isTrue();
  }

  @Test
  void anEvictedNodeWritesNothingMoreUntilItIsAMemberAgain() {
    assertThat(append(first, "before").join()).isTrue();
    assertThat(rows.compareAndSet(1, row(2, SECOND))).isTrue();
    assertThat(rows.fence(2)).isTrue();
    assertThat(append(first, "after").join()).isFalse();
    assertThatThrownBy(() -> first.rosters().remove(ROMEO, JULIET))
        .isInstanceOf(StoreException.class);
    assertThat(joins(first, 1)).isFalse();
    assertThat(stored()).containsExactly("before");

    assertThat(rows.compareAndSet(2, row(3, SECOND, new Member("first", 2)))).isTrue();
    Eventually.await("it is a member again", () -> joins(first, 2));
    assertThat(rows.fence(3)).isTrue();
    assertThat(append(first, "again").join()).isTrue();
    assertThat(stored()).containsExactly("before", "again");
  }

  /// Much may wait to be written then, and the node joins again only when nothing does.
  @Test
  void anEvictedNodeDoesNotAskTheDatabaseForEachWrite() {
    assertThat(rows.compareAndSet(1, row(2, SECOND))).isTrue();
    assertThat(rows.fence(2)).isTrue();
    assertThat(append(first, "after").join()).isFalse();
    AtomicInteger calls = new AtomicInteger();
    connections.before(call -> calls.incrementAndGet());
    for (int i = 0; i < 10; i++) {
      assertThat(append(first, "later").join()).isFalse();
    }
    assertThat(calls).hasValue(0);
  }

  @Test
  void aNodeThatHasLeftInOrderIsNotDisturbed() {
    first.leave();
    assertThat(rows.compareAndSet(1, row(2, SECOND))).isTrue();
    assertThat(rows.fence(2)).isTrue();
    assertThat(append(first, "last").join()).isTrue();
  }

  /// Another node may be slow to learn of the newest members.
  @Test
  void aFenceOfAnOlderEpochDoesNothing() {
    assertThat(rows.compareAndSet(1, row(2, SECOND))).isTrue();
    assertThat(rows.fence(1)).isFalse();
    assertThat(append(first, "word").join()).isTrue();
  }

  @Test
  void aTransactionThatHasBegunIsNotCommittedAfterTheFence() throws Exception {
    CountDownLatch stopped = new CountDownLatch(1);
    AtomicBoolean stop = new AtomicBoolean(true);
    connections.before(call -> {
      if (call.equals("commit") && stop.compareAndSet(true, false)) {
        stopped.countDown();
        try {
          resumed.await();
        } catch (InterruptedException e) {
          throw new SQLException(e);
        }
      }
    });
    CompletableFuture<Boolean> committed = append(first, "late");
    stopped.await();
    assertThat(rows.compareAndSet(1, row(2, SECOND))).isTrue();
    assertThat(rows.fence(2)).isTrue();
    resumed.countDown();
    assertThat(committed.join()).isFalse();
    assertThat(stored()).isEmpty();
  }

  /// Not while the connection is being replaced.
  private static boolean joins(SqlStores node, long incarnation) {
    try {
      return node.join(incarnation);
    } catch (StoreException e) {
      return false;
    }
  }

  /// Another home has the unwritten stanzas of a member that was fenced.
  @Test
  void aNodeThatBecomesAMemberAgainDoesNotWriteWhatItHadBefore() throws Exception {
    CountDownLatch cut = new CountDownLatch(1);
    AtomicBoolean away = new AtomicBoolean(true);
    connections.before(call -> {
      if (call.equals("commit") && away.get()) {
        cut.countDown();
        connections.writer().close();
        throw new SQLException("the test's", "08006");
      }
    });
    CompletableFuture<Boolean> before = append(first, "before");
    cut.await();
    assertThat(rows.compareAndSet(1, row(2, SECOND))).isTrue();
    assertThat(rows.fence(2)).isTrue();
    assertThat(rows.compareAndSet(2, row(3, SECOND, new Member("first", 2)))).isTrue();
    away.set(false);
    Eventually.await("it is a member again", () -> joins(first, 2));
    assertThat(before.join()).isFalse();
    assertThat(append(first, "again").join()).isTrue();
    assertThat(stored()).containsExactly("again");
  }

  /// A reader waits for what is being stored, even if it is only one entry.
  @Test
  void aNodeThatBecomesAMemberAgainFindsWhatItIsStoring() {
    List<CompletableFuture<Boolean>> appended = new ArrayList<>();
    for (long epoch = 1; epoch < 10; epoch += 2) {
      assertThat(rows.compareAndSet(epoch, row(epoch + 1, SECOND))).isTrue();
      assertThat(rows.fence(epoch + 1)).isTrue();
      Member again = new Member("first", epoch + 1);
      assertThat(rows.compareAndSet(epoch + 1, row(epoch + 2, SECOND, again))).isTrue();
      long next = epoch + 1;
      Eventually.await("it is a member again", () -> joins(first, next));
      assertThat(rows.fence(epoch + 2)).isTrue();
      for (int i = 0; i < 20; i++) {
        appended.add(append(first, "word"));
        appended.add(append(first, "word"));
        assertThat(first.messages().waiting(ROMEO, 0, 1_000)).hasSameSizeAs(appended);
        appended.add(append(first, "word"));
        assertThat(first.messages().waiting(ROMEO, 0, 1_000)).hasSameSizeAs(appended);
      }
    }
    assertThat(appended).allMatch(CompletableFuture::join);
  }

  @Test
  void onlyTheNewestEntriesAreSearchedForOrigins() {
    MessageLog log = first.messages();
    long old = log.nextId() - Duration.ofMinutes(10).toNanos() / 1_000;
    for (long[] each : new long[][] {{old, 7}, {log.nextId(), 8}}) {
      log.append(
          new Entry(ROMEO, each[0], JULIET, StoresContract.message(JULIET, ROMEO, "word"), each[1]),
          Keep.ARCHIVE,
          true);
    }
    log.flush();
    ClusterLog other = second.clusterLog();
    assertThat(other.findOrigins(Set.of(7L, 8L), Duration.ofSeconds(1))).containsOnlyKeys(8L);
    assertThat(other.findOrigins(Set.of(7L, 8L), Duration.ofMinutes(11))).containsOnlyKeys(7L, 8L);
    AppendedOrigins newest = other.appendedOrigins(Duration.ofSeconds(1));
    assertThat(newest.size()).isEqualTo(1);
    assertThat(newest.contains(8)).isTrue();
    assertThat(other.appendedOrigins(Duration.ofMinutes(11)).size()).isEqualTo(2);
  }

  @Test
  void aNewProcessOfAnEvictedNodeWrites() {
    assertThat(rows.compareAndSet(1, row(2, SECOND))).isTrue();
    opened.remove(first);
    first.close();
    assertThat(rows.fence(2)).isTrue();
    SqlStores again =
        SqlStores.openNode(
            folder,
            settings,
            Limits.defaults(),
            InstantSource.system(),
            TestDatabase.process("first"));
    opened.add(again);
    assertThat(rows.fence(2)).isTrue();
    assertThat(append(again, "word").join()).isTrue();
  }

  /// The fence is meant for the process before, which has just died.
  @Test
  void aNodeStartsAlthoughItsSessionIsEndedMeanwhile() {
    InterceptedConnections ended = new InterceptedConnections();
    AtomicInteger calls = new AtomicInteger();
    ended.before(call -> {
      if (calls.incrementAndGet() == 5) {
        database.endSession(ended.newest());
      }
    });
    opened.add(TestDatabase.openNode(folder, settings, "third", ended));
    assertThat(calls).hasValueGreaterThan(10);
  }
}
