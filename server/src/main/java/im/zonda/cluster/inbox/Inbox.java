package im.zonda.cluster.inbox;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the tasks of a node one at a time, in the order in which they were submitted. A task that
/// throws costs that task alone. The callers bound how many may wait.
public final class Inbox {
  private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);

  /// The most tasks that a caller's thread runs before it gives the rest to a worker; also the most
  /// that run before their frames are sent.
  private static final int GROUP = 64;

  private final Executor workers;
  private final Runnable afterGroup;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();

  /// An inbox without tasks.
  ///
  /// @param afterGroup runs as a task does, when no other task waits and after at most [#GROUP]
  public Inbox(Executor workers, Runnable afterGroup) {
    this.workers = workers;
    this.afterGroup = afterGroup;
  }

  /// Has a worker run the task. Any thread may call.
  public void submit(Runnable task) {
    tasks.add(task);
    if (waiting.getAndIncrement() == 0) {
      workers.execute(() -> drain(Integer.MAX_VALUE));
    }
  }

  /// Runs the tasks at once if nothing waits. For a thread that holds no monitor and has nothing
  /// else to do: to wake another one costs more than most tasks.
  public void run(List<Runnable> several) {
    tasks.addAll(several);
    if (waiting.getAndAdd(several.size()) == 0 && !several.isEmpty()) {
      drain(GROUP);
    }
  }

  /// Runs the task at once if nothing waits, and no other one: for a thread that has other things
  /// to do. Tasks that other threads submit meanwhile are left to a worker.
  public void runAlone(Runnable task) {
    tasks.add(task);
    if (waiting.getAndIncrement() == 0) {
      drain(1);
    }
  }

  private void drain(int budget) {
    int done = 0;
    do {
      if (done == budget) {
        workers.execute(() -> drain(Integer.MAX_VALUE));
        return;
      }
      run(tasks.remove());
      done++;
      if (waiting.get() == 1 || done == budget || done % GROUP == 0) {
        run(afterGroup);
      }
    } while (waiting.decrementAndGet() > 0);
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      LOG.atError().setCause(e).log("node_task_failed");
    }
  }
}
