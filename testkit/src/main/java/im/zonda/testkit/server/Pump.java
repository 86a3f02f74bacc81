package im.zonda.testkit.server;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Runs everything that a server in memory does, on the thread of the test, one thing after the
/// other.
///
/// Any thread may hand over a task; tasks run only while the test waits for something, so nothing
/// happens between two lines of a test.
final class Pump implements Executor {
  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  /// Runs all that waits, and what that brings about.
  void drain() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  /// Runs tasks, waiting for them as needed, until `done`; false if it is not in that time.
  boolean runUntil(BooleanSupplier done, Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!done.getAsBoolean()) {
      Runnable task = tasks.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (task == null) {
        return false;
      }
      task.run();
    }
    return true;
  }
}
