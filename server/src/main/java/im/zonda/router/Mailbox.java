package im.zonda.router;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The serial executor of a home: tasks run one at a time, in the order of their submission.
///
/// An idle mailbox runs a task that cannot block at once, on the caller's thread; what else there
/// is to do is queued and drained by a worker (a virtual thread). Whether a task may block is asked
/// inside the mailbox, immediately before it runs, because the task before it may change the
/// answer. Nothing is ever dropped: when more than `limit` tasks wait, those who submit are asked
/// to stop reading until half of it is done.
///
/// No exception or error leaves the mailbox busy: a task that throws is told so and the next one
/// runs, and so does a task that needs a worker when there is none.
final class Mailbox {
  private static final Logger LOG = LoggerFactory.getLogger(Mailbox.class);

  /// Tasks that an inline run takes over from others before it hands the rest to a worker, so that
  /// a busy home does not hold an event loop.
  private static final int INLINE_BUDGET = 16;

  /// Something to do at the home.
  interface Task {
    /// Whether running it now may block. Asked inside the mailbox.
    boolean mayBlock();

    /// Does it.
    void run();

    /// [#run] threw, or no worker could be had to run it.
    void failed(Throwable cause);
  }

  private final Executor workers;
  private final int limit;

  // Guarded by this object's monitor. The queue exists only while something waits.
  private boolean busy;
  private boolean retired;
  private @Nullable Queue<Task> queue;
  private @Nullable List<Outbound> paused;

  /// The thread that runs a task; only that thread itself can read its own name here, so the field
  /// needs no guard.
  private @Nullable Thread runner;

  Mailbox(Executor workers, int limit) {
    this.workers = workers;
    this.limit = limit;
  }

  /// Runs `task` after all submitted before it; on the caller's thread only if it cannot block.
  ///
  /// @param origin who is to stop reading while too much waits, or null
  /// @return false if the mailbox has retired and the task was not taken
  boolean submit(Task task, @Nullable Outbound origin) {
    return submit(task, origin, INLINE_BUDGET);
  }

  /// As [#submit(Task, Outbound)], for a thread that has other things to do, such as the writer of
  /// the database: it runs no task but its own.
  boolean submitAlone(Task task) {
    return submit(task, null, 0);
  }

  /// Whether the caller runs within a task of this mailbox.
  boolean isRunningHere() {
    return Thread.currentThread().equals(runner);
  }

  private boolean submit(Task task, @Nullable Outbound origin, int others) {
    synchronized (this) {
      if (retired) {
        return false;
      }
      if (busy) {
        Queue<Task> tasks = queue;
        if (tasks == null) {
          tasks = new ArrayDeque<>(4);
          queue = tasks;
        }
        tasks.add(task);
        if (origin != null && tasks.size() > limit) {
          pause(origin);
        }
        return true;
      }
      busy = true;
    }
    if (mayBlock(task)) {
      handOver(task);
    } else {
      run(task);
      takeOver(others);
    }
    return true;
  }

  /// Ends the mailbox if nothing waits or runs and `condition` holds; then every later [#submit] is
  /// refused. The condition sees all that earlier tasks have done.
  synchronized boolean retire(BooleanSupplier condition) {
    if (busy || !condition.getAsBoolean()) {
      return false;
    }
    retired = true;
    return true;
  }

  /// After an inline task: runs what others queued meanwhile, as long as it cannot block.
  private void takeOver(int others) {
    for (int budget = others; ; budget--) {
      Task next = pollOrBecomeIdle();
      if (next == null) {
        return;
      }
      if (budget == 0 || mayBlock(next)) {
        handOver(next);
        return;
      }
      run(next);
    }
  }

  /// Has a worker run `first` and then what waits.
  private void handOver(Task first) {
    try {
      workers.execute(() -> drain(first));
    } catch (RuntimeException | Error e) {
      withoutWorker(first, e);
    }
  }

  private void drain(Task first) {
    for (Task next = first; next != null; next = pollOrBecomeIdle()) {
      run(next);
    }
  }

  /// There is no worker: what may block cannot run and is told so, what cannot block runs here.
  private void withoutWorker(Task first, Throwable cause) {
    for (Task next = first; next != null; next = pollOrBecomeIdle()) {
      if (mayBlock(next)) {
        fail(next, cause);
      } else {
        run(next);
      }
    }
  }

  /// The next task; null if there is none, and the mailbox is idle then.
  private synchronized @Nullable Task pollOrBecomeIdle() {
    Queue<Task> tasks = queue;
    if (tasks == null) {
      busy = false;
      return null;
    }
    Task next = tasks.poll();
    if (tasks.isEmpty()) {
      queue = null;
    }
    if (paused != null && tasks.size() <= limit / 2) {
      List<Outbound> resumed = paused;
      paused = null;
      resumed.forEach(Mailbox::resume);
    }
    return next;
  }

  // ---- what must not throw

  private static boolean mayBlock(Task task) {
    try {
      return task.mayBlock();
    } catch (RuntimeException | Error e) {
      LOG.atError().setCause(e).log("home_task_not_judged");
      return true;
    }
  }

  private void run(Task task) {
    runner = Thread.currentThread();
    try {
      task.run();
    } catch (Throwable e) {
      fail(task, e);
    } finally {
      runner = null;
    }
  }

  private void fail(Task task, Throwable cause) {
    runner = Thread.currentThread();
    try {
      task.failed(cause);
    } catch (Throwable e) {
      e.addSuppressed(cause);
      LOG.atError().setCause(e).log("home_task_failure_not_handled");
    } finally {
      runner = null;
    }
  }

  private void pause(Outbound origin) {
    if (paused == null) {
      paused = new ArrayList<>(2);
    }
    if (!paused.contains(origin)) {
      try {
        origin.pauseReading();
        paused.add(origin);
      } catch (RuntimeException | Error e) {
        LOG.atError().setCause(e).log("reading_not_paused");
      }
    }
  }

  private static void resume(Outbound origin) {
    try {
      origin.resumeReading();
    } catch (RuntimeException | Error e) {
      LOG.atError().setCause(e).log("reading_not_resumed");
    }
  }
}
