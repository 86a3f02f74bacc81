package im.zonda.home;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Workers that run only when the test says so, on its thread.
public final class SteppedWorkers implements Executor {
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private boolean rejecting;
  private boolean working;

  @Override
  public synchronized void execute(Runnable task) {
    if (rejecting) {
      throw new RejectedExecutionException("no more workers");
    }
    tasks.add(task);
  }

  /// Rejects tasks from now on, or accepts them again.
  public synchronized void reject(boolean on) {
    rejecting = on;
  }

  /// Whether a worker is running a task now.
  public boolean working() {
    return working;
  }

  /// Runs what has been submitted, and what that submits.
  public void runAll() {
    working = true;
    for (Runnable task = poll(); task != null; task = poll()) {
      task.run();
    }
    working = false;
  }

  private synchronized @Nullable Runnable poll() {
    return tasks.poll();
  }
}
