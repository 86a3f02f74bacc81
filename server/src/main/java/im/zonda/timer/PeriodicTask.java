package im.zonda.timer;

import im.zonda.module.Scheduler;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A task that runs periodically until it is cancelled. Runs never overlap. One that throws is
/// logged and followed by the next.
public final class PeriodicTask implements Scheduler.Cancellable {
  private static final Logger LOG = LoggerFactory.getLogger(PeriodicTask.class);

  private final Scheduler scheduler;
  private final Duration period;
  private final Executor executor;
  private final Runnable task;

  // Guarded by this object's monitor.
  private boolean cancelled;
  private Scheduler.@Nullable Cancellable timer;

  private PeriodicTask(Scheduler scheduler, Duration period, Executor executor, Runnable task) {
    this.scheduler = scheduler;
    this.period = period;
    this.executor = executor;
    this.task = task;
  }

  /// Runs `task` every `period` on the scheduler's thread, which must not be blocked.
  public static PeriodicTask start(Scheduler scheduler, Duration period, Runnable task) {
    return start(scheduler, period, period, Runnable::run, task);
  }

  /// Runs `task` after `first`, and then `period` after the end of each run.
  ///
  /// @param executor runs the task
  public static PeriodicTask start(
      Scheduler scheduler, Duration first, Duration period, Executor executor, Runnable task) {
    PeriodicTask started = new PeriodicTask(scheduler, period, executor, task);
    started.scheduleNext(first);
    return started;
  }

  private synchronized void scheduleNext(Duration delay) {
    if (!cancelled) {
      timer = scheduler.schedule(delay, this::submit);
    }
  }

  private void submit() {
    try {
      executor.execute(this::run);
    } catch (RuntimeException | Error e) {
      LOG.atError().setCause(e).log("periodic_task_not_run");
      scheduleNext(period);
    }
  }

  private void run() {
    try {
      if (!isCancelled()) {
        task.run();
      }
    } catch (RuntimeException | Error e) {
      log(e);
    } finally {
      scheduleNext(period);
    }
  }

  private static void log(Throwable failure) {
    if (failure instanceof StoreException store && (store.retryable() || isClosed(store))) {
      // Many tasks fail while the store does, which is logged as an error of its own, and when this
      // node stops or was evicted from its cluster.
      LOG.atWarn().addKeyValue("reason", store.getMessage()).log("periodic_task_failed");
    } else {
      LOG.atError().setCause(failure).log("periodic_task_failed");
    }
  }

  private static boolean isClosed(StoreException store) {
    return store.category() == StoreException.Category.CLOSED;
  }

  private synchronized boolean isCancelled() {
    return cancelled;
  }

  @Override
  public synchronized void cancel() {
    cancelled = true;
    if (timer != null) {
      timer.cancel();
    }
  }
}
