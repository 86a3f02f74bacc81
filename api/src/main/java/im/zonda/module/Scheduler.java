package im.zonda.module;

import java.time.Duration;

/// Runs tasks later. The only source of timers, so that tests control the time.
@FunctionalInterface
public interface Scheduler {
  /// Runs `task` once after `delay`, on a thread that must not be blocked.
  Cancellable schedule(Duration delay, Runnable task);

  /// A scheduled task, or a periodic one.
  @FunctionalInterface
  interface Cancellable {
    /// Prevents the run if it has not begun, and all further ones.
    void cancel();
  }
}
