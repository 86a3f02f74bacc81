package im.zonda.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import im.zonda.jid.Jid;
import im.zonda.module.InboundFlow;
import im.zonda.store.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

final class MailboxTest {
  private static final class Reader implements InboundFlow {
    private int pauses;
    private boolean broken;

    @Override
    public void pauseReading() {
      pauses++;
    }

    @Override
    public void resumeReading() {
      if (broken) {
        throw new IllegalStateException("its stream is broken");
      }
      pauses--;
    }
  }

  private final SteppedWorkers workers = new SteppedWorkers();
  private final RecordingKind kind = new RecordingKind();
  private final HomeLoad load = new HomeLoad();
  private final Mailbox<String> mailbox = mailbox(workers, 4);
  private final List<String> ran = new ArrayList<>();

  private Mailbox<String> mailbox(Executor executor, int limit) {
    Jid address = Jid.of("romeo@example.org");
    return new Mailbox<>(address, new Mailbox.Setup<>(kind, executor, limit, load));
  }

  @BeforeEach
  void load() {
    mailbox.submit(home -> ran.add("loaded"), null);
    workers.runAll();
    assertThat(ran).containsExactly("loaded");
    ran.clear();
  }

  private static HomeTask<String> task(Runnable action, boolean mayBlock) {
    return new HomeTask<String>() {
      @Override
      public boolean mayBlock(String home) {
        return mayBlock;
      }

      @Override
      public void run(String home) {
        action.run();
      }

      @Override
      public void failed(Throwable cause) {
        throw new AssertionError("a task failed", cause);
      }
    };
  }

  private void submit(String name, boolean mayBlock) {
    assertThat(mailbox.submit(task(() -> ran.add(name), mayBlock), null)).isTrue();
  }

  @Test
  void anIdleMailboxRunsWhatCannotBlockAtOnce() {
    submit("a", false);

    assertThat(ran).containsExactly("a");
  }

  @Test
  void whatMayBlockRunsOnlyOnAWorker() {
    submit("a", true);
    assertThat(ran).isEmpty();

    workers.runAll();
    assertThat(ran).containsExactly("a");
  }

  @Test
  void whatCannotBlockWaitsForWhatMayBlockBeforeIt() {
    submit("a", true);
    submit("b", false);
    assertThat(ran).isEmpty();

    workers.runAll();
    submit("c", false);
    assertThat(ran).containsExactly("a", "b", "c");
  }

  @Test
  void aTaskSubmittedFromWithinRunsAfterwards() {
    mailbox.submit(
        task(
            () -> {
              submit("inner", false);
              ran.add("outer");
            },
            false),
        null);

    assertThat(ran).containsExactly("outer", "inner");
  }

  @Test
  void theRestOfATaskRunsBeforeWhatWaits() {
    submit("a", true);
    mailbox.submit(
        task(() -> mailbox.submitNext(task(() -> ran.add("rest of b"), true)), false), null);
    submit("c", false);

    workers.runAll();
    assertThat(ran).containsExactly("a", "rest of b", "c");
  }

  @Test
  void theRestOfATaskThatRanInlineRunsOnAWorkerBeforeWhatIsSubmittedMeanwhile() {
    mailbox.submit(
        task(() -> mailbox.submitNext(task(() -> ran.add("rest of a"), true)), false), null);
    submit("b", false);
    assertThat(ran).isEmpty();

    workers.runAll();
    assertThat(ran).containsExactly("rest of a", "b");
  }

  @Test
  void onlyARunningTaskHasARest() {
    assertThatIllegalStateException()
        .isThrownBy(() -> mailbox.submitNext(task(() -> ran.add("rest"), false)));
  }

  @Test
  void anInlineRunHandsLongQueuesToAWorker() {
    mailbox.submit(
        task(
            () -> {
              for (int i = 0; i < 100; i++) {
                submit("t" + i, false);
              }
            },
            false),
        null);

    assertThat(ran).hasSizeLessThan(100).startsWith("t0", "t1");
    workers.runAll();
    assertThat(ran).hasSize(100);
    assertThat(ran.getLast()).isEqualTo("t99");
  }

  @Test
  void sendersStopReadingWhileTooMuchWaitsAndGoOnAtHalf() {
    Reader reader = new Reader();
    List<Integer> pauses = new ArrayList<>();
    submit("first", true);
    for (int i = 0; i < 10; i++) {
      mailbox.submit(task(() -> pauses.add(reader.pauses), false), reader);
    }
    assertThat(reader.pauses).isEqualTo(1);
    assertThat(load.crowded()).hasSize(1);
    HomeLoad.Crowded crowded = load.crowded().getFirst();
    assertThat(crowded.home()).isEqualTo(mailbox.address());
    assertThat(crowded.tasks()).isEqualTo(10);
    assertThat(crowded.streams()).isEqualTo(1);

    workers.runAll();
    assertThat(reader.pauses).isZero();
    assertThat(load.crowded()).isEmpty();
    assertThat(pauses).hasSize(10).containsOnly(0, 1);
  }

  @Test
  void aSenderThatCannotBePausedOrResumedDoesNotStopTheMailbox() {
    Reader broken = new Reader();
    broken.broken = true;
    Reader whole = new Reader();
    submit("first", true);
    for (int i = 0; i < 10; i++) {
      submit(broken, "b" + i);
      submit(whole, "w" + i);
    }
    assertThat(broken.pauses).as("it could be paused").isEqualTo(1);
    workers.runAll();
    submit("last", false);

    assertThat(ran).hasSize(22).endsWith("b9", "w9", "last");
    assertThat(whole.pauses).as("resumed although the other could not be").isZero();
  }

  private void submit(Reader from, String name) {
    assertThat(mailbox.submit(task(() -> ran.add(name), false), from)).isTrue();
  }

  @Test
  void whetherATaskMayBlockIsAskedWhenItsTurnHasCome() {
    boolean[] mayBlock = {true};
    HomeTask<String> asked =
        new HomeTask<String>() {
          @Override
          public boolean mayBlock(String home) {
            return mayBlock[0];
          }

          @Override
          public void run(String home) {
            ran.add("asked");
          }

          @Override
          public void failed(Throwable cause) {
            throw new AssertionError(cause);
          }
        };
    Runnable before =
        () -> {
          mailbox.submit(asked, null);
          mayBlock[0] = false;
        };
    mailbox.submit(task(before, false), null);
    assertThat(ran).containsExactly("asked");

    Runnable beforeAgain =
        () -> {
          mailbox.submit(asked, null);
          submit("behind", false);
          mayBlock[0] = true;
        };
    mailbox.submit(task(beforeAgain, false), null);
    submit("last", false);
    assertThat(ran).containsExactly("asked");
    workers.runAll();
    assertThat(ran).containsExactly("asked", "asked", "behind", "last");
  }

  @Test
  void aThreadWithOtherThingsToDoRunsOnlyItsOwnTask() {
    mailbox.submitAlone(
        task(
            () -> {
              ran.add("own");
              submit("another", false);
            },
            false));
    assertThat(ran).containsExactly("own");
    workers.runAll();
    assertThat(ran).containsExactly("own", "another");
  }

  @Test
  void aTaskKnowsThatItRunsHere() throws Exception {
    List<Boolean> here = new ArrayList<>();
    CountDownLatch asked = new CountDownLatch(1);
    Thread other =
        Thread.ofPlatform()
            .unstarted(() -> {
              here.add(mailbox.isRunningHere());
              asked.countDown();
            });
    mailbox.submit(
        task(
            () -> {
              here.add(mailbox.isRunningHere());
              other.start();
              join(asked);
            },
            false),
        null);
    other.join();
    here.add(mailbox.isRunningHere());
    assertThat(here).containsExactly(true, false, false);
  }

  private static void join(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aBusyMailboxDoesNotRetireAndARetiredOneTakesNothing() {
    submit("a", true);
    assertThat(mailbox.retire(true)).isFalse();
    workers.runAll();
    kind.needed.add("romeo@example.org");
    assertThat(mailbox.retire(false)).isFalse();

    assertThat(mailbox.retire(true)).isTrue();
    assertThat(mailbox.submit(task(() -> ran.add("late"), false), null)).isFalse();
    assertThat(ran).containsExactly("a");
  }

  @Test
  void aBusyMailboxEndsAfterItsLastTask() {
    submit("a", true);
    mailbox.retireWhenIdle(() -> ran.add("end"));
    submit("b", false);
    assertThat(ran).isEmpty();

    workers.runAll();
    assertThat(ran).containsExactly("a", "b", "end");
    assertThat(kind.events).containsExactly("load romeo@example.org", "unloaded romeo@example.org");
    assertThat(mailbox.submit(task(() -> ran.add("late"), false), null)).isFalse();
    mailbox.retireWhenIdle(() -> ran.add("again"));
    assertThat(ran).containsExactly("a", "b", "end", "again");
  }

  @Test
  void anIdleMailboxEndsAtOnceAfterWhatComesWhileItsHomeIsUnloaded() {
    kind.unloading =
        () -> {
          kind.unloading = () -> {};
          submit("a", false);
        };
    mailbox.retireWhenIdle(() -> ran.add("end"));
    workers.runAll();
    assertThat(ran).containsExactly("a", "end");
  }

  @Test
  void aMailboxThatStaysDoesNotEnd() {
    submit("a", true);
    mailbox.retireWhenIdle(() -> ran.add("end"));
    mailbox.stay();
    workers.runAll();
    submit("b", false);
    assertThat(ran).containsExactly("a", "b");
  }

  /// What waited at the home for a session is routed again, maybe to the same home.
  @Test
  void whatComesWhileTheHomeIsUnloadedRunsAtItsNextOne() {
    kind.unloading = () -> submit("a", false);
    assertThat(mailbox.retire(true)).isFalse();
    kind.unloading = () -> {};
    submit("b", false);
    workers.runAll();
    assertThat(ran).containsExactly("a", "b");
    assertThat(kind.events)
        .containsExactly(
            "load romeo@example.org", "unloaded romeo@example.org", "load romeo@example.org");
    assertThat(mailbox.retire(true)).isTrue();
  }

  /// It may be what the unloading waits for: two homes may be unloaded by two threads.
  @Test
  void noOtherThreadWaitsWhileTheHomeIsUnloaded() {
    kind.unloading = () -> ran.add(stateAfterSubmitting("a"));
    boolean _ = mailbox.retire(true);
    assertThat(ran).startsWith("TERMINATED");
  }

  /// Whether another thread gets its task in, or is blocked for as long as this one waits.
  private String stateAfterSubmitting(String name) {
    Thread other = Thread.ofPlatform().start(() -> submit(name, true));
    try {
      boolean _ = other.join(Duration.ofSeconds(20));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return other.getState().toString();
  }

  /// A stream that is read from again may submit to other homes, whose streams wait for this one.
  @Test
  void noOtherThreadWaitsWhileAStreamIsReadFromAgain() {
    List<String> states = new ArrayList<>();
    InboundFlow flow =
        new InboundFlow() {
          @Override
          public void pauseReading() {}

          @Override
          public void resumeReading() {
            states.add(stateAfterSubmitting("other"));
          }
        };
    for (int i = 0; i < 8; i++) {
      mailbox.submit(task(() -> ran.add("task"), true), flow);
    }
    workers.runAll();
    assertThat(states).containsExactly("TERMINATED");
    assertThat(ran).hasSize(9);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void manyThreadsOneAtATimeAndInTheOrderOfEach(long seed) throws Exception {
    int threads = 4;
    int each = 5_000;
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Mailbox<String> shared = mailbox(executor, 64);
      int[] last = new int[threads];
      int[] inside = new int[1];
      List<String> wrong = new ArrayList<>();
      CountDownLatch done = new CountDownLatch(threads * each);
      for (int t = 0; t < threads; t++) {
        int thread = t;
        var random = new SplittableRandom(seed * 31 + t);
        executor.execute(() -> {
          for (int i = 1; i <= each; i++) {
            int number = i;
            Runnable action =
                () -> {
                  // Plain fields on purpose: only the mailbox keeps tasks apart.
                  if (++inside[0] != 1 || last[thread] != number - 1) {
                    wrong.add(thread + ": " + number + " after " + last[thread]);
                  }
                  last[thread] = number;
                  inside[0]--;
                  done.countDown();
                };
            shared.submit(task(action, random.nextInt(16) == 0), null);
          }
        });
      }
      assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(wrong).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void theMailboxKnowsWhoRunsInIt() {
    List<Boolean> here = new ArrayList<>();
    mailbox.submit(
        task(
            () -> {
              here.add(mailbox.isRunningHere());
              Thread other = new Thread(() -> here.add(mailbox.isRunningHere()));
              other.start();
              join(other);
            },
            false),
        null);
    here.add(mailbox.isRunningHere());
    assertThat(here).containsExactly(true, false, false);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// What was to be stored at the end of an account's last session, for example.
  @Test
  void aTaskForAnAccountThatWasRemovedMeanwhileIsNoDefect() {
    Logger logger = (Logger) LoggerFactory.getLogger(Mailbox.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try {
      mailbox.submit(
          home -> {
            throw new Stores.MissingOwnerException(mailbox.address());
          },
          null);
      workers.runAll();
    } finally {
      logger.detachAppender(lines);
    }
    assertThat(lines.list)
        .singleElement()
        .satisfies(line -> {
          assertThat(line.getLevel()).isEqualTo(Level.WARN);
          assertThat(line.getThrowableProxy()).isNull();
        });
  }
}
