package im.zonda.storage.sql.database;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/// Limits the searches that run at the same time; further ones wait, so that they never occupy all
/// threads of an executor: a search may look at everything that an owner has. Thread-safe.
final class SearchLane implements Executor {
  private final Executor threads;
  private final int most;
  private final int mostWaiting;

  // Guarded by this object's monitor.
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private int running;

  /// @param most how many run at the same time
  /// @param mostWaiting how many may wait
  SearchLane(Executor threads, int most, int mostWaiting) {
    this.threads = threads;
    this.most = most;
    this.mostWaiting = mostWaiting;
  }

  /// Runs a search, which must not throw, now or later.
  ///
  /// @throws RejectedExecutionException if too many wait, or the executor is closed
  @Override
  public void execute(Runnable search) {
    synchronized (this) {
      if (running == most) {
        if (waiting.size() == mostWaiting) {
          throw new RejectedExecutionException(mostWaiting + " searches wait already");
        }
        waiting.add(search);
        return;
      }
      running++;
    }
    start(search);
  }

  private void start(Runnable search) {
    try {
      threads.execute(() -> run(search));
    } catch (RejectedExecutionException e) {
      synchronized (this) {
        running--;
      }
      throw e;
    }
  }

  /// Runs a search and then, on the same thread, those that wait, so that they are not rejected
  /// when the executor is being closed. Queries that have come meanwhile wait for one of the other
  /// threads.
  private void run(Runnable search) {
    Runnable next = search;
    while (next != null) {
      next.run();
      synchronized (this) {
        next = waiting.poll();
        if (next == null) {
          running--;
        }
      }
    }
  }
}
