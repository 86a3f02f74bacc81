package im.zonda.app;

import im.zonda.module.Scheduler;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Timers on a thread of their own.
final class Timers implements Scheduler, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Timers.class);

  private final ScheduledThreadPoolExecutor executor;

  Timers() {
    executor =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("zonda-timers").factory());
    executor.setRemoveOnCancelPolicy(true); // most timers are cancelled
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public Cancellable schedule(Duration delay, Runnable task) {
    try {
      Future<?> future = executor.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    } catch (RejectedExecutionException e) {
      return () -> {}; // closed meanwhile
    }
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      LOG.atError().setCause(e).log("timer_failed");
    }
  }

  @Override
  public void close() {
    executor.shutdown();
  }
}
