package im.zonda.timer;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import im.zonda.module.Scheduler;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// What [PeriodicTask] promises, for any scheduler that runs things once.
final class PeriodicTaskTest {
  private static final Duration FIRST = Duration.ofMinutes(5);
  private static final Duration PERIOD = Duration.ofSeconds(7);

  private record Timer(Duration delay, Runnable task) {}

  private final Queue<Timer> timers = new ArrayDeque<>();
  private final Scheduler scheduler =
      (delay, task) -> {
        Timer timer = new Timer(delay, task);
        timers.add(timer);
        return () -> timers.remove(timer);
      };
  private final List<String> ran = new ArrayList<>();

  private Duration nextRun() {
    Timer timer = timers.remove();
    timer.task.run();
    return timer.delay;
  }

  @Test
  void theFirstRunHasATimeOfItsOwnAndTheOthersFollowOneByOne() {
    PeriodicTask.start(scheduler, FIRST, PERIOD, Runnable::run, () -> ran.add("run"));
    assertThat(ran).isEmpty();

    assertThat(List.of(nextRun(), nextRun(), nextRun())).containsExactly(FIRST, PERIOD, PERIOD);
    assertThat(ran).hasSize(3);
    assertThat(timers).hasSize(1);
  }

  @Test
  void aStoreThatIsAwayOrClosedIsNoErrorOfTheTask() {
    Logger logger = (Logger) LoggerFactory.getLogger(PeriodicTask.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try {
      for (StoreException.Category each : StoreException.Category.values()) {
        PeriodicTask.start(
            scheduler,
            PERIOD,
            () -> {
              throw new StoreException(each, "the store", null);
            });
        assertThat(nextRun()).isEqualTo(PERIOD);
        timers.clear();
        boolean away =
            each == StoreException.Category.CLOSED
                || new StoreException(each, "the store", null).retryable();
        assertThat(lines.list.removeLast().getLevel()).isEqualTo(away ? Level.WARN : Level.ERROR);
      }
    } finally {
      logger.detachAppender(lines);
    }
  }

  @Test
  void aRunThatThrowsIsFollowedByTheNext() {
    PeriodicTask.start(
        scheduler,
        PERIOD,
        () -> {
          ran.add("run");
          if (ran.size() == 1) {
            throw new IllegalStateException("the first");
          }
          if (ran.size() == 2) {
            throw new AssertionError("the second");
          }
        });
    nextRun();
    nextRun();
    nextRun();
    assertThat(ran).hasSize(3);
    assertThat(timers).hasSize(1);
  }

  @Test
  void theNextIsDueOnlyWhenTheLastHasEnded() {
    Queue<Runnable> workers = new ArrayDeque<>();
    PeriodicTask.start(scheduler, PERIOD, PERIOD, workers::add, () -> ran.add("run"));
    nextRun();
    assertThat(timers).as("it waits for a worker").isEmpty();
    assertThat(ran).isEmpty();

    workers.remove().run();
    assertThat(ran).hasSize(1);
    assertThat(timers).hasSize(1);
  }

  @Test
  void aRunThatNobodyTakesIsTriedAgain() {
    List<Runnable> taken = new ArrayList<>();
    Executor executor =
        task -> {
          if (taken.isEmpty()) {
            taken.add(task);
            throw new RejectedExecutionException("the first");
          }
          task.run();
        };
    PeriodicTask.start(scheduler, PERIOD, PERIOD, executor, () -> ran.add("run"));
    nextRun();
    assertThat(ran).isEmpty();
    nextRun();
    assertThat(ran).hasSize(1);
  }

  @Test
  void cancelledItRunsNoMoreEvenWhenItIsDueAlready() {
    Queue<Runnable> workers = new ArrayDeque<>();
    Scheduler.Cancellable waiting =
        PeriodicTask.start(scheduler, PERIOD, PERIOD, workers::add, () -> ran.add("run"));
    waiting.cancel();
    assertThat(timers).isEmpty();

    Scheduler.Cancellable due =
        PeriodicTask.start(scheduler, PERIOD, PERIOD, workers::add, () -> ran.add("run"));
    nextRun();
    due.cancel();
    workers.remove().run();
    assertThat(ran).isEmpty();
    assertThat(timers).isEmpty();
  }

  @Test
  void aTaskMayCancelItself() {
    List<Scheduler.Cancellable> own = new ArrayList<>();
    own.add(
        PeriodicTask.start(
            scheduler,
            PERIOD,
            () -> {
              ran.add("run");
              own.getFirst().cancel();
            }));
    nextRun();
    assertThat(ran).hasSize(1);
    assertThat(timers).isEmpty();
  }
}
