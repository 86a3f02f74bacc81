package im.zonda.node;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the tasks of a node one at a time, in the order in which they were submitted. A task that
/// throws costs that task alone. Who submits bounds how many may wait.
final class Inbox {
  private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);

  /// Tasks that a thread which brings one runs before it gives the rest to a worker.
  private static final int INLINE_BUDGET = 64;

  private final Executor workers;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();

  Inbox(Executor workers) {
    this.workers = workers;
  }

  /// Has a worker run the task. Any thread may call.
  void submit(Runnable task) {
    tasks.add(task);
    if (waiting.getAndIncrement() == 0) {
      workers.execute(() -> drain(Integer.MAX_VALUE));
    }
  }

  /// Runs the task at once if nothing waits. For a thread that holds no monitor and has nothing
  /// else to do: to wake another one costs more than most tasks.
  void run(Runnable task) {
    tasks.add(task);
    if (waiting.getAndIncrement() == 0) {
      drain(INLINE_BUDGET);
    }
  }

  /// Runs the task at once if nothing waits, and no other one: for a thread that has other things
  /// to do. A task that others have brought meanwhile is left to a worker.
  void runAlone(Runnable task) {
    tasks.add(task);
    if (waiting.getAndIncrement() == 0) {
      drain(1);
    }
  }

  private void drain(int budget) {
    int left = budget;
    do {
      if (left-- == 0) {
        workers.execute(() -> drain(Integer.MAX_VALUE));
        return;
      }
      Runnable task = tasks.remove();
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        LOG.atError().setCause(e).log("node_task_failed");
      }
    } while (waiting.decrementAndGet() > 0);
  }
}
