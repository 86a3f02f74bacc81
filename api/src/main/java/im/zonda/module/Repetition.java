package im.zonda.module;

import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A task that a [Scheduler] runs every so often, whatever becomes of a single run.
final class Repetition implements Scheduler.Cancellable {
  private static final Logger LOG = LoggerFactory.getLogger(Repetition.class);

  private final Scheduler scheduler;
  private final Duration period;
  private final Executor executor;
  private final Runnable task;

  // Guarded by this object's monitor.
  private boolean cancelled;
  private Scheduler.@Nullable Cancellable timer;

  Repetition(Scheduler scheduler, Duration period, Executor executor, Runnable task) {
    this.scheduler = scheduler;
    this.period = period;
    this.executor = executor;
    this.task = task;
  }

  Repetition begin(Duration first) {
    next(first);
    return this;
  }

  private synchronized void next(Duration delay) {
    if (!cancelled) {
      timer = scheduler.schedule(delay, this::due);
    }
  }

  private void due() {
    try {
      executor.execute(this::run);
    } catch (RuntimeException | Error e) {
      LOG.atError().setCause(e).log("periodic_task_not_run");
      next(period);
    }
  }

  private void run() {
    try {
      if (!isCancelled()) {
        task.run();
      }
    } catch (RuntimeException | Error e) {
      LOG.atError().setCause(e).log("periodic_task_failed");
    } finally {
      next(period);
    }
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
