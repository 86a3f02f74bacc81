package im.zonda.stream.client;

import im.zonda.module.Scheduler;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// Timers that run when a test lets time pass, on its thread. Any thread may schedule.
public final class TestTimers implements Scheduler {
  private record Timer(Duration due, Runnable task) {}

  private final PriorityQueue<Timer> timers = new PriorityQueue<>(Comparator.comparing(Timer::due));
  private Duration now = Duration.ZERO;

  @Override
  public synchronized Cancellable schedule(Duration delay, Runnable task) {
    Timer timer = new Timer(now.plus(delay), task);
    timers.add(timer);
    return () -> cancel(timer);
  }

  /// The number of timers that have not run.
  public synchronized int pending() {
    return timers.size();
  }

  /// Lets time pass; what becomes due runs in the order of its time.
  public void pass(Duration time) {
    Duration end = now.plus(time);
    for (Timer timer = next(end); timer != null; timer = next(end)) {
      timer.task.run();
    }
    now = end;
  }

  private synchronized @Nullable Timer next(Duration end) {
    Timer first = timers.peek();
    if (first == null || first.due.compareTo(end) > 0) {
      return null;
    }
    timers.remove();
    now = first.due;
    return first;
  }

  private synchronized void cancel(Timer timer) {
    timers.remove(timer);
  }
}
