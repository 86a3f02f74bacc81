package im.zonda.simulation;

import im.zonda.module.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;

/// Time that passes when a test or a simulation says so, and the timers in it.
public final class SimulatedClock implements InstantSource, Scheduler {
  private record Timer(Instant due, long number, Runnable task) {}

  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(Comparator.comparing(Timer::due).thenComparingLong(Timer::number));
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private long number;

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public Cancellable schedule(Duration delay, Runnable task) {
    Timer timer = new Timer(now.plus(delay), number++, task);
    timers.add(timer);
    return () -> timers.remove(timer);
  }

  /// Time passes; what is due runs.
  public void advance(Duration step) {
    Instant end = now.plus(step);
    for (Timer next = timers.peek(); next != null && !next.due.isAfter(end); next = timers.peek()) {
      timers.remove();
      now = next.due;
      next.task.run();
    }
    now = end;
  }

  /// The process is gone, and all its timers.
  public void clear() {
    timers.clear();
  }

  /// The number of timers that are not due yet.
  public int timers() {
    return timers.size();
  }
}
