package im.zonda.net.bosh;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// Runs tasks one after another, in their order: the thread of a stream that has no connection.
/// What is in the queue is run as one turn, which ends with `turnEnd`. Any thread may call.
final class SerialTasks {
  /// How many tasks one turn has at most, so that its output is not kept back.
  private static final int MOST_TASKS = 256;

  private final Executor executor;
  private final Runnable turnEnd;
  private final Consumer<Throwable> failed;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();

  /// @param failed takes what a task or the end of a turn has thrown; on the thread of the tasks
  SerialTasks(Executor executor, Runnable turnEnd, Consumer<Throwable> failed) {
    this.executor = executor;
    this.turnEnd = turnEnd;
    this.failed = failed;
  }

  /// Runs a task later; by the caller if the server has stopped.
  void execute(Runnable task) {
    tasks.add(task);
    schedule();
  }

  /// Runs a task now if no other one runs or waits, otherwise later: for a thread that may block.
  void executeHere(Runnable task) {
    tasks.add(task);
    if (scheduled.compareAndSet(false, true)) {
      run();
    }
  }

  private void schedule() {
    if (!scheduled.compareAndSet(false, true)) {
      return;
    }
    try {
      executor.execute(this::run);
    } catch (RejectedExecutionException e) {
      run(); // the server has stopped: nothing runs beside it
    }
  }

  private void run() {
    Runnable task = tasks.poll();
    for (int i = 0; task != null && i < MOST_TASKS; i++) {
      run(task);
      task = i + 1 < MOST_TASKS ? tasks.poll() : null;
    }
    run(turnEnd);
    scheduled.set(false);
    if (!tasks.isEmpty()) {
      schedule();
    }
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      failed.accept(e);
    }
  }
}
