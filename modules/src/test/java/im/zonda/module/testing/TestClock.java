package im.zonda.module.testing;

import im.zonda.module.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Time that moves only when a test says so, with the timers that hang on it.
public final class TestClock implements InstantSource, Scheduler {
  private static final Logger LOG = LoggerFactory.getLogger(TestClock.class);

  private static final class Timer {
    private Instant due;
    private final Runnable task;

    Timer(Instant due, Runnable task) {
      this.due = due;
      this.task = task;
    }
  }

  private final List<Timer> timers = new ArrayList<>();
  private Instant now = Instant.parse("2026-11-21T12:00:00Z");

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public Cancellable schedule(Duration delay, Runnable task) {
    Timer timer = new Timer(now.plus(delay), task);
    timers.add(timer);
    return () -> timers.remove(timer);
  }

  /// Runs `task` after `first` and then every `period`, until it is cancelled. A run that fails is
  /// followed by the next.
  Cancellable every(Duration first, Duration period, Executor executor, Runnable task) {
    AtomicReference<Cancellable> next = new AtomicReference<>();
    next.set(schedule(first, () -> repeat(period, executor, task, next)));
    return () -> next.get().cancel();
  }

  private void repeat(
      Duration period, Executor executor, Runnable task, AtomicReference<Cancellable> next) {
    next.set(schedule(period, () -> repeat(period, executor, task, next)));
    executor.execute(() -> {
      try {
        task.run();
      } catch (RuntimeException e) {
        LOG.atWarn().setCause(e).log("periodic_task_failed");
      }
    });
  }

  /// The number of timers that have not run.
  public int waiting() {
    return timers.size();
  }

  /// Someone sets the clock back; timers are due after the same time as before.
  public void setBack(Duration by) {
    now = now.minus(by);
    timers.forEach(timer -> timer.due = timer.due.minus(by));
  }

  /// Moves the time on and runs what becomes due, in order of time.
  public void advance(Duration by) {
    Instant end = now.plus(by);
    while (true) {
      Timer next = null;
      for (Timer timer : timers) {
        if (!timer.due.isAfter(end) && (next == null || timer.due.isBefore(next.due))) {
          next = timer;
        }
      }
      if (next == null) {
        break;
      }
      timers.remove(next);
      now = next.due.isAfter(now) ? next.due : now;
      next.task.run();
    }
    now = end;
  }
}
