package im.zonda.stream.sasl;

import im.zonda.module.Scheduler;
import im.zonda.runtime.ServerRuntime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Runs what logins need of the stores, and has them wait for a while where others need the machine
/// more: a node that takes over the homes of a lost one is asked by all clients of that node at
/// once, while those that are connected wait for their messages.
///
/// A stream reads nothing while its login waits, so there are at most as many tasks as streams. Any
/// thread may call.
public final class LoginPause implements Executor {
  /// No login waits longer, however long the pause is.
  static final Duration LONGEST = Duration.ofSeconds(3);

  private final Executor blocking;
  private final Scheduler scheduler;

  // Guarded by this object's monitor.
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private boolean paused;
  private Scheduler.@Nullable Cancellable timer;

  /// No login waits yet.
  public LoginPause(ServerRuntime runtime) {
    this.blocking = runtime.workers();
    this.scheduler = runtime.scheduler();
  }

  @Override
  public void execute(Runnable task) {
    synchronized (this) {
      if (paused) {
        waiting.add(task);
        return;
      }
    }
    blocking.execute(task);
  }

  /// Logins wait from now on, or no longer.
  public void pause(boolean on) {
    synchronized (this) {
      if (on == paused) {
        return;
      }
      paused = on;
      if (timer != null) {
        timer.cancel();
        timer = null;
      }
      if (on) {
        timer = scheduler.schedule(LONGEST, () -> pause(false));
        return;
      }
    }
    goOn();
  }

  /// What has waited runs in its order.
  private void goOn() {
    while (true) {
      Runnable next;
      synchronized (this) {
        next = paused ? null : waiting.poll();
      }
      if (next == null) {
        return;
      }
      try {
        blocking.execute(next);
      } catch (RejectedExecutionException e) {
        return; // the server is stopping, and with it the streams that wait
      }
    }
  }
}
