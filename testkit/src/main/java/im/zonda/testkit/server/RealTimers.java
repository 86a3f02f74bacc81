package im.zonda.testkit.server;

import im.zonda.module.Scheduler;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Timers in real time.
public final class RealTimers implements Scheduler, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RealTimers.class);

  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("test-timers").daemon().factory());

  @Override
  public Cancellable schedule(Duration delay, Runnable task) {
    Future<?> scheduled = executor.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
    return () -> scheduled.cancel(false);
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      LOG.atError().setCause(e).log("timer_failed"); // the future would keep it to itself
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
