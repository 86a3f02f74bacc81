package im.zonda.router;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.memory.MemoryStores;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HomesTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Jid NOBODY = Jid.of("nobody@example.org");

  private final SteppedWorkers workers = new SteppedWorkers();
  private final List<String> ran = new ArrayList<>();

  /// Whether a worker did it, of each read from the store.
  private final List<Boolean> readByWorker = new ArrayList<>();

  private final Dispatch dispatch = new Dispatch.Builder(Jid.of("example.org")).build();
  private final MemoryStores stores = MemoryStores.withAccounts(InstantSource.system(), ROMEO);
  private final Homes homes = new Homes(stores, workers, Limits.defaults());

  @BeforeEach
  void load() {
    stores.beforeCall(() -> readByWorker.add(workers.working()));
    submit(ROMEO, "load", false);
    workers.runAll();
    assertThat(ran).containsExactly("load");
    assertThat(readByWorker).containsOnly(true);
    ran.clear();
    readByWorker.clear();
  }

  private void submit(Jid account, String name, boolean mayBlock) {
    homes.submit(account, dispatch, mayBlock, null, home -> ran.add(name));
  }

  /// A task that throws, and throws again when it is told so.
  private static final HomeTask BROKEN =
      new HomeTask() {
        @Override
        public void run(AccountHome home) {
          throw new IllegalStateException("the task");
        }

        @Override
        public void failed(Throwable cause) {
          throw new AssertionError("its failure", cause);
        }
      };

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTaskWhoseFailureCannotBeHandledLeavesItsHomeToTheNext(boolean mayBlock) {
    homes.submit(ROMEO, dispatch, mayBlock, null, BROKEN);
    submit(ROMEO, "next", false);
    submit(ROMEO, "on a worker", true);
    workers.runAll();

    assertThat(ran).containsExactly("next", "on a worker");
  }

  @Test
  void aBrokenTaskAmongThoseThatWaitDoesNotStopTheOthers() {
    homes.submit(
        ROMEO,
        dispatch,
        false,
        null,
        home -> {
          submit(ROMEO, "a", false);
          homes.submit(ROMEO, dispatch, false, null, BROKEN);
          submit(ROMEO, "b", false);
          homes.submit(ROMEO, dispatch, true, null, BROKEN);
          submit(ROMEO, "c", false);
        });
    workers.runAll();

    assertThat(ran).containsExactly("a", "b", "c");
  }

  @Test
  void withoutAWorkerATaskFailsAndTheHomeGoesOn() {
    List<Throwable> failures = new ArrayList<>();
    HomeTask blocking =
        new HomeTask() {
          @Override
          public void run(AccountHome home) {
            ran.add("blocking");
          }

          @Override
          public void failed(Throwable cause) {
            failures.add(cause);
          }
        };
    workers.reject(true);
    homes.submit(ROMEO, dispatch, true, null, blocking);
    assertThat(failures).hasSize(1);
    submit(ROMEO, "inline", false);

    workers.reject(false);
    homes.submit(ROMEO, dispatch, true, null, blocking);
    workers.runAll();
    assertThat(ran).containsExactly("inline", "blocking");
    assertThat(failures).hasSize(1);
  }

  @Test
  void aHomeThatIsUnloadedByTheTaskBeforeIsLoadedByAWorker() {
    homes.submit(
        ROMEO,
        dispatch,
        false,
        null,
        home -> {
          submit(ROMEO, "next", false); // the home is loaded now, and will not be then
          submit(ROMEO, "after it", false);
          home.unload();
        });
    submit(ROMEO, "last", false);
    assertThat(readByWorker).as("reads on the caller's thread").isEmpty();

    workers.runAll();
    assertThat(readByWorker).containsOnly(true);
    assertThat(ran).containsExactly("next", "after it", "last");
  }

  @Test
  void aHomeThatIsUnloadedWhileATaskIsOnItsWayIsLoadedByAWorker() throws Exception {
    AtomicReference<AccountHome> found = new AtomicReference<>();
    homes.submit(ROMEO, dispatch, false, null, found::set);
    AccountHome home = Objects.requireNonNull(found.get());
    Thread sender = Thread.ofPlatform().unstarted(() -> submit(ROMEO, "sent", false));

    // The sender has seen all that it can see from outside of the mailbox, and is about to enter.
    synchronized (home.mailbox()) {
      sender.start();
      while (sender.getState() != Thread.State.BLOCKED) {
        LockSupport.parkNanos(100_000);
      }
      home.unload();
    }
    sender.join();
    assertThat(readByWorker).as("reads on the sender's thread").isEmpty();

    submit(ROMEO, "later", false);
    workers.runAll();
    assertThat(readByWorker).containsOnly(true);
    assertThat(ran).containsExactly("sent", "later");
  }

  @Test
  void anAccountThatIsNotThereIsLookedUpForEachTaskInOrder() {
    submit(NOBODY, "a", false);
    submit(NOBODY, "b", false);
    assertThat(ran).isEmpty();

    workers.runAll();
    assertThat(ran).containsExactly("a", "b");
    assertThat(readByWorker).containsExactly(true, true);
  }
}
