package im.zonda.module;

import java.time.Duration;

/// Runs things later. The one source of timers, so that tests move the time.
public interface Scheduler {
  /// Runs `task` once after `delay`, on a thread that must not be blocked.
  Cancellable schedule(Duration delay, Runnable task);

  /// A task that has not run yet.
  @FunctionalInterface
  interface Cancellable {
    /// Prevents the run if it has not begun.
    void cancel();
  }
}
