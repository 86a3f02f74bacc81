package im.zonda.home;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.cluster.forward.StanzaForwarder;
import im.zonda.cluster.node.Nodes;
import im.zonda.cluster.placement.ClusterView;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.stanza.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HomesTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Jid NOBODY = Jid.of("nobody@example.org");

  private final SteppedWorkers workers = new SteppedWorkers();
  private final RecordingKind kind = new RecordingKind();
  private final List<String> ran = new ArrayList<>();

  /// Whether a worker did it, of each load.
  private final List<Boolean> loadedByWorker = new ArrayList<>();

  private final Set<Jid> elsewhere = new HashSet<>();
  private final List<String> sentElsewhere = new ArrayList<>();
  private final Homes<String> homes = new Homes<>(kind, new Homes.Setup(nodes(), workers, 16, 100));

  /// Some homes are elsewhere.
  private final class SomeHere implements ClusterView {
    @Override
    public boolean isHere(Jid home) {
      return !elsewhere.contains(home);
    }

    @Override
    public @Nullable Member homeOf(Jid home) {
      return null;
    }

    @Override
    public @Nullable Member self() {
      return null;
    }
  }

  private final class Forwarder implements StanzaForwarder {
    @Override
    public boolean isDirect(Jid home, Envelope envelope) {
      return !elsewhere.contains(home);
    }

    @Override
    public void forward(Jid home, Envelope envelope) {
      sentElsewhere.add("" + envelope.stanza().id());
    }

    @Override
    public void find(Jid address, Consumer<Boolean> answer) {
      throw new IllegalStateException("nobody asks");
    }

    @Override
    public void handled(Jid account, String session, long number) {
      throw new IllegalStateException("no session has moved");
    }

    @Override
    public void forget(Jid account) {
      throw new IllegalStateException("no account is removed");
    }
  }

  private Nodes nodes() {
    return new Nodes(
        new SomeHere(),
        new Forwarder(),
        Nodes.NONE.replication(),
        Nodes.NONE.sender(),
        Nodes.NONE.gate());
  }

  @BeforeEach
  void load() {
    kind.loaded = jid -> loadedByWorker.add(workers.working());
    kind.fleeting.add(NOBODY.toString());
    submit(ROMEO, "load", false);
    workers.runAll();
    assertThat(ran).containsExactly("load");
    assertThat(loadedByWorker).containsExactly(true);
    ran.clear();
    loadedByWorker.clear();
    kind.events.clear();
  }

  private void submit(Jid address, String name, boolean mayBlock) {
    submit(address, mayBlock, home -> ran.add(name));
  }

  private void submit(Jid address, boolean mayBlock, HomeTask<String> task) {
    assertThat(homes.submit(address, mayBlock ? HomeTask.blocking(task) : task, null)).isTrue();
  }

  private static Envelope envelope(String id, CountingOrigin origin) {
    Message message = Message.of(Message.Type.CHAT, NOBODY, ROMEO, id, List.of());
    return new Envelope(message, origin, null);
  }

  /// A task that throws, and throws again when it is notified of that.
  private static final HomeTask<String> BROKEN =
      new HomeTask<>() {
        @Override
        public void run(String home) {
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
    submit(ROMEO, mayBlock, BROKEN);
    submit(ROMEO, "next", false);
    submit(ROMEO, "on a worker", true);
    workers.runAll();

    assertThat(ran).containsExactly("next", "on a worker");
  }

  @Test
  void aBrokenTaskAmongThoseThatWaitDoesNotStopTheOthers() {
    submit(
        ROMEO,
        false,
        home -> {
          submit(ROMEO, "a", false);
          submit(ROMEO, false, BROKEN);
          submit(ROMEO, "b", false);
          submit(ROMEO, true, BROKEN);
          submit(ROMEO, "c", false);
        });
    workers.runAll();

    assertThat(ran).containsExactly("a", "b", "c");
  }

  @Test
  void withoutAWorkerATaskFailsAndTheHomeGoesOn() {
    List<Throwable> failures = new ArrayList<>();
    HomeTask<String> blocking =
        new HomeTask<>() {
          @Override
          public void run(String home) {
            ran.add("blocking");
          }

          @Override
          public void failed(Throwable cause) {
            failures.add(cause);
          }
        };
    workers.reject(true);
    submit(ROMEO, true, blocking);
    assertThat(failures).hasSize(1);
    submit(ROMEO, "inline", false);

    workers.reject(false);
    submit(ROMEO, true, blocking);
    workers.runAll();
    assertThat(ran).containsExactly("inline", "blocking");
    assertThat(failures).hasSize(1);
  }

  @Test
  void aHomeThatDoesNotLastIsLoadedByAWorkerForTheTaskBehind() {
    submit(
        ROMEO,
        false,
        home -> {
          submit(ROMEO, "next", false); // the home is loaded now, and will not be then
          submit(ROMEO, "after it", false);
          kind.fleeting.add(home);
        });
    submit(ROMEO, "last", false);
    assertThat(ran).isEmpty();
    assertThat(loadedByWorker).as("loads on the caller's thread").isEmpty();

    workers.runAll();
    assertThat(loadedByWorker).containsExactly(true, true, true);
    assertThat(ran).containsExactly("next", "after it", "last");
  }

  @Test
  void anAddressWithoutALastingHomeIsLoadedForEachTaskInOrder() {
    submit(NOBODY, "a", false);
    submit(NOBODY, "b", false);
    assertThat(ran).isEmpty();

    workers.runAll();
    assertThat(ran).containsExactly("a", "b");
    assertThat(loadedByWorker).containsExactly(true, true);
  }

  @Test
  void aStanzaIsHeldUntilItsHomeHasHandledIt() {
    CountingOrigin origin = new CountingOrigin(null);
    kind.accepted = envelope -> ran.add("held " + origin.held.get());
    homes.accept(ROMEO, envelope("1", origin));
    assertThat(ran).containsExactly("held 1");
    assertThat(origin.held).hasValue(0);

    kind.mayBlock = true;
    homes.accept(ROMEO, envelope("2", origin));
    assertThat(origin.held).as("while it waits").hasValue(1);
    workers.runAll();
    assertThat(origin.held).hasValue(0);
    assertThat(kind.events).containsExactly("accept 1", "finished 1", "accept 2", "finished 2");
  }

  @Test
  void aStanzaThatFailsIsReleasedToo() {
    CountingOrigin origin = new CountingOrigin(null);
    kind.accepted =
        envelope -> {
          throw new IllegalStateException("not accepted");
        };
    homes.accept(ROMEO, envelope("1", origin));
    kind.mayBlock = true;
    workers.reject(true);
    homes.accept(ROMEO, envelope("2", origin));

    assertThat(kind.events)
        .containsExactly("accept 1", "failed 1", "finished 1", "failed 2", "finished 2");
    assertThat(origin.held).hasValue(0);
  }

  @Test
  void aStanzaForAHomeOnAnotherNodeGoesThere() {
    CountingOrigin origin = new CountingOrigin(null);
    elsewhere.add(ROMEO);
    assertThat(homes.accept(ROMEO, envelope("1", origin))).isTrue();

    assertThat(sentElsewhere).containsExactly("1");
    assertThat(kind.events).isEmpty();
    assertThat(origin.held).hasValue(0);
  }

  @Test
  void onlyHomesThatAreNotNeededAreUnloaded() {
    Jid broken = Jid.of("broken@example.org");
    kind.needed.add(ROMEO.toString());
    submit(broken, "a", false);
    submit(NOBODY, "b", false);
    workers.runAll();
    homes.sweep();
    assertThat(homes.addresses()).containsExactlyInAnyOrder(ROMEO, broken);

    kind.needed.clear();
    homes.sweep();
    assertThat(homes.addresses()).containsExactly(broken);
    assertThat(kind.events).endsWith("unloaded " + ROMEO);
    submit(ROMEO, "again", false);
    assertThat(ran).doesNotContain("again");
    workers.runAll();
    assertThat(ran).endsWith("again");
  }

  @Test
  void closedHomesFinishWhatWaitsAndAcceptNothingMore() {
    CountingOrigin origin = new CountingOrigin(null);
    kind.mayBlock = true;
    kind.needed.add(ROMEO.toString());
    homes.accept(ROMEO, envelope("1", origin));
    homes.close();
    assertThat(homes.accept(ROMEO, envelope("2", origin))).isFalse();
    assertThat(homes.submit(ROMEO, home -> ran.add("late"), null)).isFalse();
    workers.runAll();
    homes.sweep();

    assertThat(homes.size()).isZero();
    assertThat(kind.events).containsExactly("accept 1", "finished 1", "unloaded " + ROMEO);
    assertThat(origin.held).hasValue(0);
    assertThat(ran).isEmpty();
  }

  /// A home that moves must not stay loaded here: it would be stale when it comes back.
  @Test
  void homesThatLeaveAreUnloadedAsSoonAsTheirTasksAreDone() throws Exception {
    int rounds = 300;
    try (var executor = Executors.newFixedThreadPool(4)) {
      AtomicInteger handled = new AtomicInteger();
      HomeKind<int[]> counting = new CountingKind(handled, new CountDownLatch(0));
      Homes<int[]> moving = new Homes<>(counting, new Homes.Setup(nodes(), executor, 64, 1_000));
      for (int i = 0; i < rounds; i++) {
        CountDownLatch running = new CountDownLatch(1);
        HomeTask<int[]> task =
            HomeTask.blocking(_ -> {
              running.countDown();
              Thread.onSpinWait();
            });
        assertThat(moving.submit(ROMEO, task, null)).isTrue();
        running.await();
        assertThat(moving.unload(ROMEO::equals, Duration.ofSeconds(20))).isZero();
        assertThat(moving.size()).isZero();
      }
    }
  }

  @Test
  void tooManyHomesAreSweptBeforeTheirTime() {
    for (int i = 0; i < 150; i++) {
      submit(Jid.of("user" + i + "@example.org"), "task", false);
      workers.runAll();
    }
    assertThat(homes.size()).isLessThan(110);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void manyThreadsAndSweepsLoseNothing(long seed) throws Exception {
    int threads = 4;
    int each = 2_000;
    AtomicInteger handled = new AtomicInteger();
    CountingOrigin origin = new CountingOrigin(null);
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      CountDownLatch done = new CountDownLatch(threads * each);
      HomeKind<int[]> counting = new CountingKind(handled, done);
      Homes<int[]> shared = new Homes<>(counting, new Homes.Setup(Nodes.NONE, executor, 64, 2));
      for (int t = 0; t < threads; t++) {
        var random = new SplittableRandom(seed * 31 + t);
        executor.execute(() -> {
          for (int i = 0; i < each; i++) {
            shared.accept(
                Jid.of("user" + random.nextInt(5) + "@example.org"), envelope("x", origin));
            if (random.nextInt(8) == 0) {
              shared.sweep();
            }
          }
        });
      }
      assertThat(done.await(60, TimeUnit.SECONDS)).as("seed %d", seed).isTrue();
    }
    assertThat(handled).hasValue(threads * each);
    assertThat(origin.held).hasValue(0);
  }

  /// Homes that notice two threads in them.
  private record CountingKind(AtomicInteger handled, CountDownLatch done)
      implements HomeKind<int[]> {
    @Override
    public int[] load(Jid address) {
      return new int[1];
    }

    @Override
    public boolean mayBlock(int[] home, Envelope envelope) {
      return handled.get() % 16 == 0;
    }

    @Override
    public void accept(int[] home, Envelope envelope) {
      // A plain field on purpose: only the mailbox keeps stanzas apart.
      if (++home[0] == 1) {
        handled.incrementAndGet();
      }
      home[0]--;
    }

    @Override
    public boolean failed(Envelope envelope, Throwable cause) {
      throw new AssertionError(cause);
    }

    @Override
    public void finished(Envelope envelope) {
      done.countDown();
    }

    @Override
    public boolean canUnload(int[] home) {
      return true;
    }
  }
}
