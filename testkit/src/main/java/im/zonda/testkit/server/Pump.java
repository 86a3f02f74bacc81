package im.zonda.testkit.server;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Runs all tasks of a server in memory on the thread of the test, one after another.
///
/// Any thread may submit a task. Tasks run only while the test waits, so nothing happens between
/// two lines of a test.
final class Pump implements Executor {
  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  /// Runs all queued tasks, including those that they submit.
  void drain() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  /// Runs tasks until `done`, waiting for them as needed; false after the timeout.
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
