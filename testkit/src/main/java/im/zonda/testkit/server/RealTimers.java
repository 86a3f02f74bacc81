package im.zonda.testkit.server;

import im.zonda.module.Scheduler;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Timers in real time.
final class RealTimers implements Scheduler, AutoCloseable {
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("test-timers").daemon().factory());

  @Override
  public Cancellable schedule(Duration delay, Runnable task) {
    Future<?> scheduled = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    return () -> scheduled.cancel(false);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
