package im.zonda.router;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The serial executor of a home: tasks run one at a time, in the order of their submission.
///
/// An idle mailbox runs a task that cannot block at once, on the caller's thread; what else there
/// is to do is queued and drained by a worker (a virtual thread). Nothing is ever dropped: when
/// more than `limit` tasks wait, those who submit are asked to stop reading until half of it is
/// done.
final class Mailbox {
  /// Tasks that an inline run takes over from others before it hands the rest to a worker, so that
  /// a busy home does not hold an event loop.
  private static final int INLINE_BUDGET = 16;

  private record Waiting(Runnable task, boolean mayBlock) {}

  private final Executor workers;
  private final int limit;

  // Guarded by this object's monitor. The queue exists only while something waits.
  private boolean busy;
  private boolean retired;
  private @Nullable Queue<Waiting> queue;
  private @Nullable List<Outbound> paused;

  Mailbox(Executor workers, int limit) {
    this.workers = workers;
    this.limit = limit;
  }

  /// Runs `task` after all submitted before it.
  ///
  /// @param mayBlock whether it may block; then it never runs on the caller's thread
  /// @param origin who is to stop reading while too much waits, or null
  /// @return false if the mailbox has retired and the task was not taken
  boolean submit(Runnable task, boolean mayBlock, @Nullable Outbound origin) {
    synchronized (this) {
      if (retired) {
        return false;
      }
      if (busy || mayBlock) {
        Queue<Waiting> tasks = queue;
        if (tasks == null) {
          tasks = new ArrayDeque<>(4);
          queue = tasks;
        }
        tasks.add(new Waiting(task, mayBlock));
        if (origin != null && tasks.size() > limit) {
          pause(origin);
        }
        if (busy) {
          return true;
        }
      }
      busy = true;
    }
    if (mayBlock) {
      workers.execute(this::drain);
    } else {
      task.run();
      takeOver();
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

  private void pause(Outbound origin) {
    if (paused == null) {
      paused = new ArrayList<>(2);
    }
    if (!paused.contains(origin)) {
      paused.add(origin);
      origin.pauseReading();
    }
  }

  /// After an inline task: runs what others queued meanwhile, as long as it cannot block.
  private void takeOver() {
    for (int budget = INLINE_BUDGET; ; budget--) {
      Waiting next;
      synchronized (this) {
        if (queue == null) {
          busy = false;
          return;
        }
        Waiting first = queue.peek();
        if (budget == 0 || first == null || first.mayBlock) {
          break;
        }
        next = poll();
      }
      if (next != null) {
        next.task.run();
      }
    }
    workers.execute(this::drain);
  }

  private void drain() {
    while (true) {
      Waiting next;
      synchronized (this) {
        next = poll();
        if (next == null) {
          busy = false;
          return;
        }
      }
      next.task.run();
    }
  }

  private @Nullable Waiting poll() {
    Queue<Waiting> tasks = queue;
    if (tasks == null) {
      return null;
    }
    Waiting next = tasks.poll();
    if (tasks.isEmpty()) {
      queue = null;
    }
    if (paused != null && tasks.size() <= limit / 2) {
      paused.forEach(Outbound::resumeReading);
      paused = null;
    }
    return next;
  }
}
