package im.zonda.router;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MailboxTest {
  /// Workers that run only when the test says so.
  private static final class SteppedWorkers implements Executor {
    private final Queue<Runnable> tasks = new ArrayDeque<>();

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }

    void runAll() {
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
    }
  }

  private static final class Reader implements Outbound {
    private int pauses;

    @Override
    public void send(Stanza stanza, @Nullable Runnable left) {
      throw new AssertionError("nothing is sent here");
    }

    @Override
    public void close(StreamErrorCondition condition, @Nullable String text) {
      throw new AssertionError("nothing is closed here");
    }

    @Override
    public void allHandled() {}

    @Override
    public void pauseReading() {
      pauses++;
    }

    @Override
    public void resumeReading() {
      pauses--;
    }
  }

  private final SteppedWorkers workers = new SteppedWorkers();
  private final Mailbox mailbox = new Mailbox(workers, 4);
  private final List<String> ran = new ArrayList<>();

  private void submit(String name, boolean mayBlock) {
    assertThat(mailbox.submit(() -> ran.add(name), mayBlock, null)).isTrue();
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
        () -> {
          submit("inner", false);
          ran.add("outer");
        },
        false,
        null);

    assertThat(ran).containsExactly("outer", "inner");
  }

  @Test
  void anInlineRunHandsLongQueuesToAWorker() {
    mailbox.submit(
        () -> {
          for (int i = 0; i < 100; i++) {
            submit("t" + i, false);
          }
        },
        false,
        null);

    assertThat(ran).hasSizeLessThan(100).startsWith("t0", "t1");
    workers.runAll();
    assertThat(ran).hasSize(100);
    assertThat(ran.getLast()).isEqualTo("t99");
  }

  @Test
  void sendersStopReadingWhileTooMuchWaitsAndGoOnAtHalf() {
    Reader reader = new Reader();
    submit("first", true);
    for (int i = 0; i < 10; i++) {
      mailbox.submit(() -> assertThat(reader.pauses).isBetween(0, 1), false, reader);
    }
    assertThat(reader.pauses).isEqualTo(1);

    workers.runAll();
    assertThat(reader.pauses).isZero();
  }

  @Test
  void aBusyMailboxDoesNotRetireAndARetiredOneTakesNothing() {
    submit("a", true);
    assertThat(mailbox.retire(() -> true)).isFalse();
    workers.runAll();
    assertThat(mailbox.retire(() -> false)).isFalse();

    assertThat(mailbox.retire(() -> true)).isTrue();
    assertThat(mailbox.submit(() -> ran.add("late"), false, null)).isFalse();
    assertThat(ran).containsExactly("a");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void manyThreadsOneAtATimeAndInTheOrderOfEach(long seed) throws Exception {
    int threads = 4;
    int each = 5_000;
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Mailbox shared = new Mailbox(executor, 64);
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
            shared.submit(
                () -> {
                  // Plain fields on purpose: only the mailbox keeps tasks apart.
                  if (++inside[0] != 1 || last[thread] != number - 1) {
                    wrong.add(thread + ": " + number + " after " + last[thread]);
                  }
                  last[thread] = number;
                  inside[0]--;
                  done.countDown();
                },
                random.nextInt(16) == 0,
                null);
          }
        });
      }
      assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(wrong).as("seed %d", seed).isEmpty();
    }
  }
}
