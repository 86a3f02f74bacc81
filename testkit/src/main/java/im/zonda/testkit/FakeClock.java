package im.zonda.testkit;

import im.zonda.module.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// A clock that a test advances, with timers.
///
/// Any thread may read the time and schedule; due tasks run on the thread that calls [#advance], in
/// the order of their times, each at its own time.
public final class FakeClock implements InstantSource, Scheduler {
  private record Task(Instant due, long number, Runnable action) {}

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparing(Task::due).thenComparingLong(Task::number));
  private Instant now;
  private long scheduled;

  /// Creates a clock at `start`.
  public FakeClock(Instant start) {
    now = start;
  }

  /// Creates a clock at the beginning of the year 2026.
  public FakeClock() {
    this(Instant.parse("2026-01-01T00:00:00Z"));
  }

  @Override
  public synchronized Instant instant() {
    return now;
  }

  @Override
  public synchronized Cancellable schedule(Duration delay, Runnable action) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("a delay of " + delay + " lies in the past");
    }
    Task task = new Task(now.plus(delay), scheduled++, action);
    tasks.add(task);
    return () -> cancel(task);
  }

  /// The number of timers that have not run.
  public synchronized int pending() {
    return tasks.size();
  }

  /// Advances the time and runs due tasks, including those that they schedule within that time.
  public void advance(Duration step) {
    if (step.isNegative()) {
      throw new IllegalArgumentException("time does not go back by " + step.negated());
    }
    Instant end = instant().plus(step);
    for (Task task = takeDue(end); task != null; task = takeDue(end)) {
      task.action().run();
    }
    moveTo(end);
  }

  private synchronized @Nullable Task takeDue(Instant end) {
    Task first = tasks.peek();
    if (first == null || first.due().isAfter(end)) {
      return null;
    }
    tasks.remove();
    moveTo(first.due());
    return first;
  }

  private synchronized void moveTo(Instant time) {
    if (time.isAfter(now)) {
      now = time;
    }
  }

  private synchronized void cancel(Task task) {
    tasks.remove(task);
  }
}
