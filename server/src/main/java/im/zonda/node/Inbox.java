package im.zonda.node;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the tasks of a node one at a time, in the order in which they were submitted, on a worker.
/// A task that throws costs that task alone. Who submits bounds how many may wait.
final class Inbox {
  private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);

  private final Executor workers;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();

  Inbox(Executor workers) {
    this.workers = workers;
  }

  /// Any thread may call.
  void submit(Runnable task) {
    tasks.add(task);
    if (waiting.getAndIncrement() == 0) {
      workers.execute(this::drain);
    }
  }

  private void drain() {
    do {
      Runnable task = tasks.remove();
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        LOG.atError().setCause(e).log("node_task_failed");
      }
    } while (waiting.decrementAndGet() > 0);
  }
}
