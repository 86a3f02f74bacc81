package im.zonda.storage.sql;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.RosterItem;
import im.zonda.store.StoreException;
import im.zonda.store.StoreState;
import im.zonda.store.Subscription;
import im.zonda.testkit.database.Eventually;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// One call to the database fails, whichever it is: no wrong acknowledgement, and the store
/// recovers.
///
/// The runs of the script share a database, because creating many takes long; each run has accounts
/// of its own.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#all")
@Timeout(120)
class FailedCallTest {
  private static final Storage SETTINGS = new Storage(true, true, 0, 512);
  private static final List<String> BODIES = List.of("one", "two", "three", "four", "five");

  private final TestDatabase database;
  @TempDir Path folder;
  private final InterceptedConnections connections = new InterceptedConnections();

  FailedCallTest(TestDatabase database) {
    this.database = database;
  }

  /// What happens to one call. A delay is as long as the pause before the first new attempt.
  enum Fault {
    WRITE(TestDatabase.Fault.WRITE, 1, 1),
    FULL(TestDatabase.Fault.FULL, 1, 1),
    BUSY(TestDatabase.Fault.BUSY, 1, 3),
    CONSTRAINT(TestDatabase.Fault.CONSTRAINT, 2, 3),
    DELAY(null, 3, 3);

    private final TestDatabase.@Nullable Fault fault;
    private final int first;
    private final int step;

    /// Happens to the call `first` in the first run, and `step` calls later in each one after.
    Fault(TestDatabase.@Nullable Fault fault, int first, int step) {
      this.fault = fault;
      this.first = first;
      this.step = step;
    }

    void happen(TestDatabase database, int call, String name) throws SQLException {
      if (fault != null) {
        throw database.failure(fault, "the test's, at call " + call + ", " + name);
      }
      LockSupport.parkNanos(20_000_000);
    }
  }

  /// One run of the script, with accounts of its own, and what was reported as durable.
  private static final class Run {
    final Jid romeo;
    final Jid juliet;
    final List<String> done = Collections.synchronizedList(new ArrayList<>());
    final List<String> givenUp = Collections.synchronizedList(new ArrayList<>());
    final Set<String> asked = ConcurrentHashMap.newKeySet();

    Run(int number) {
      romeo = Jid.of("romeo" + number + "@example.net");
      juliet = Jid.of("juliet" + number + "@example.net");
    }

    void append(SqlStores stores, String body) {
      asked.add(body);
      MessageLog.Ending ending =
          new MessageLog.Ending() {
            @Override
            public void committed() {
              done.add(body);
            }

            @Override
            public void failed(StoreException cause) {
              givenUp.add(body);
            }
          };
      MessageLog.Entry entry =
          new MessageLog.Entry(
              romeo,
              stores.messages().nextId(),
              juliet,
              StoresContract.message(juliet, romeo, body));
      stores.messages().append(entry, Keep.ARCHIVE, true).whenEnded(ending);
    }

    void attempt(String what, Runnable call) {
      try {
        call.run();
        done.add(what);
      } catch (StoreException e) {
        // The call failed and reported it.
      }
    }

    void script(SqlStores stores) {
      attempt(
          "account",
          () ->
              stores
                  .accounts()
                  .create(List.of(StoresContract.account(romeo), StoresContract.account(juliet))));
      attempt("find", () -> stores.accounts().find(romeo));
      BODIES.forEach(body -> append(stores, body));
      try {
        attempt("roster", () -> stores.rosters().put(romeo, item()));
        attempt("value", () -> stores.keyValues("vcard").put(romeo, "a", new byte[] {1}));
      } catch (IllegalStateException e) {
        assertThat(done).doesNotContain("account"); // the account was not made
      }
      attempt("waiting", () -> stores.messages().waiting(romeo, 0, 10));
      attempt("flush", () -> stores.messages().flush());
    }

    private RosterItem item() {
      return new RosterItem(juliet, "J", Subscription.BOTH, false, false, List.of(), null, true);
    }

    List<String> waiting(SqlStores stores) {
      return stores.messages().waiting(romeo, 0, 10_000).stream()
          .map(StoresContract::body)
          .toList();
    }

    /// What was reported as durable is there.
    void checkStored(SqlStores stores) {
      if (done.contains("account")) {
        assertThat(stores.accounts().find(romeo)).isNotNull();
        List<String> waiting = waiting(stores);
        for (String body : BODIES) {
          if (done.contains(body)) {
            assertThat(waiting).containsOnlyOnce(body);
          }
        }
      }
      if (done.contains("roster")) {
        assertThat(stores.rosters().load(romeo).items()).hasSize(1);
      }
      if (done.contains("value")) {
        assertThat(stores.keyValues("vcard").get(romeo, "a")).containsExactly(1);
      }
    }

    /// The store has recovered: new entries are stored.
    void checkRecovered(SqlStores stores) {
      if (stores.accounts().find(romeo) != null) {
        append(stores, "after");
        stores.messages().flush();
        assertThat(waiting(stores)).contains("after");
        assertThat(done).contains("after");
        stores.messages().flush(); // the state changes when a group is done with
        assertThat(stores.messages().state()).isEqualTo(StoreState.STORING);
      }
    }

    /// Each ending of an entry was called exactly once.
    void checkAllEnded() {
      List<String> heard = new ArrayList<>(givenUp);
      done.stream().filter(asked::contains).forEach(heard::add);
      assertThat(heard).containsExactlyInAnyOrderElementsOf(asked);
    }
  }

  private SqlStores open(Path data, Storage settings) {
    return SqlStores.open(data, settings, Limits.defaults(), InstantSource.system(), connections);
  }

  private SqlStores open(Path data) {
    return open(data, database.settings(data, SETTINGS));
  }

  /// Makes a call fail. Returns the number of calls that have been made.
  ///
  /// @param counted whether a call counts
  private AtomicInteger failAt(int which, Fault fault, BooleanSupplier counted) {
    AtomicInteger calls = new AtomicInteger();
    connections.before(call -> {
      if (isRoundTrip(call) && counted.getAsBoolean() && calls.incrementAndGet() == which) {
        fault.happen(database, which, call);
      }
    });
    return calls;
  }

  /// Whether the call may fail: the drivers of servers send nothing when a statement is prepared.
  private boolean isRoundTrip(String call) {
    return database == TestDatabase.SQLITE
        || !(call.equals("prepareStatement") || call.equals("createStatement"));
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void anyCallMayFailOnceAndNoAcknowledgementIsWrong(Fault fault) {
    int step = database == TestDatabase.SQLITE ? fault.step : 2 * fault.step;
    List<Run> runs = new ArrayList<>();
    boolean happened = true;
    for (int n = fault.first; happened; n += step) {
      Run run = new Run(n);
      runs.add(run);
      AtomicInteger calls = failAt(n, fault, () -> true);
      try (SqlStores stores = open(folder)) {
        run.script(stores);
        connections.before(call -> {});
        // What is asked while the database is down fails, too.
        Eventually.await("it stores again", () -> stores.messages().state().ok());
        run.checkStored(stores);
        run.checkRecovered(stores);
      } catch (StoreException e) {
        assertThat(run.done).isEmpty(); // it was not even opened
      }
      run.checkAllEnded();
      happened = calls.get() >= n;
    }
    connections.before(call -> {});
    try (SqlStores stores = open(folder)) {
      runs.forEach(run -> run.checkStored(stores));
    }
  }

  /// Each start continues with what the one before has left.
  @Test
  void anyCallOfTheFirstStartMayFail() {
    Storage settings = database.emptySettings(folder, SETTINGS);
    Thread opener = Thread.currentThread();
    int failed = 0;
    boolean happened = true;
    for (int n = 1; happened; n++) {
      AtomicInteger calls = failAt(n, Fault.WRITE, () -> Thread.currentThread().equals(opener));
      try (SqlStores stores = open(folder, settings)) {
        connections.before(call -> {});
        Run run = new Run(n);
        run.script(stores);
        run.checkRecovered(stores);
        assertThat(run.done).contains("account", "after");
      } catch (StoreException e) {
        failed++;
      }
      happened = calls.get() >= n;
    }
    assertThat(failed).as("the schema was created").isGreaterThan(20);
  }
}
