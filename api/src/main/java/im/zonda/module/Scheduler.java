package im.zonda.module;

import java.time.Duration;
import java.util.concurrent.Executor;

/// Runs things later. The one source of timers, so that tests move the time.
public interface Scheduler {
  /// Runs `task` once after `delay`, on a thread that must not be blocked.
  Cancellable schedule(Duration delay, Runnable task);

  /// Runs `task` every `period` until it is cancelled, on a thread that must not be blocked. As
  /// [#every(Duration, Duration, Executor, Runnable)].
  default Cancellable every(Duration period, Runnable task) {
    return every(period, period, Runnable::run, task);
  }

  /// Runs `task` after `first`, and then again and again, each time `period` after the run before
  /// has ended, until it is cancelled. Runs never overlap. One that throws is logged, once, and
  /// followed by the next as any other.
  ///
  /// @param executor runs the task
  default Cancellable every(Duration first, Duration period, Executor executor, Runnable task) {
    return new Repetition(this, period, executor, task).begin(first);
  }

  /// A task that has not run yet, or runs again and again.
  @FunctionalInterface
  interface Cancellable {
    /// Prevents the run if it has not begun, and all further ones.
    void cancel();
  }
}
