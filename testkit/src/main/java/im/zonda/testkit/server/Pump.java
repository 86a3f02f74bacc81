package im.zonda.testkit.server;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/// Runs all tasks of a server in memory on the thread of the test, one after another.
///
/// Any thread may submit a task. Tasks run only while the test waits, so nothing happens between
/// two lines of a test.
final class Pump implements Executor {
  private static final Duration BESIDE = Duration.ofSeconds(30);

  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

  /// How many tasks run beside the pump.
  private final AtomicInteger beside = new AtomicInteger();

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  /// Runs a task beside the pump, on a thread of its own: it waits for what the pump does.
  void executeBeside(Executor threads, Runnable task) {
    beside.incrementAndGet();
    threads.execute(() -> {
      try {
        task.run();
      } finally {
        // The pump, which may wait for it, looks again.
        execute(beside::decrementAndGet);
      }
    });
  }

  /// Runs all queued tasks, including those that they submit, and waits for those beside the pump.
  void drain() {
    try {
      runUntil(() -> tasks.isEmpty() && beside.get() == 0, BESIDE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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
