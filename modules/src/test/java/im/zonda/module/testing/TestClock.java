package im.zonda.module.testing;

import im.zonda.module.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// Time that moves only when a test says so, with the timers that hang on it.
public final class TestClock implements InstantSource, Scheduler {
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
