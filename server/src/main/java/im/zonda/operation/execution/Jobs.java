package im.zonda.operation.execution;

import im.zonda.operation.Call;
import im.zonda.operation.Caller;
import im.zonda.operation.Job;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Work of operations that takes long. In memory: what runs ends with the process. Any thread may
/// call.
public final class Jobs {
  private static final Logger LOG = LoggerFactory.getLogger(Jobs.class);

  /// The most jobs that run at a time, and the most that have ended and are remembered.
  private static final int MOST_RUNNING = 8;

  private static final int MOST_ENDED = 100;

  private static final class Entry {
    private Job job;
    private @Nullable FutureTask<?> future;

    Entry(Job job) {
      this.job = job;
    }
  }

  private final InstantSource clock;
  private final Supplier<String> ids;
  private final Executor workers;

  /// The jobs by their identifiers, the oldest first. Guarded by this object's monitor.
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /// @param ids new identifiers
  /// @param workers run the work
  public Jobs(InstantSource clock, Supplier<String> ids, Executor workers) {
    this.clock = clock;
    this.ids = ids;
    this.workers = workers;
  }

  /// Starts work.
  ///
  /// @return the identifier of the job; null if too many run
  @Nullable String start(String operation, String title, Caller caller, Call.Work work) {
    Entry entry = add(operation, title, caller);
    if (entry == null) {
      return null;
    }
    FutureTask<?> task = new FutureTask<>(() -> run(entry, work), null);
    String id = entry.job.id();
    synchronized (this) {
      entry.future = task;
    }
    try {
      workers.execute(task); // without the monitor: the work may begin at once
    } catch (RejectedExecutionException e) {
      synchronized (this) {
        entries.remove(id);
      }
      throw e;
    }
    return id;
  }

  /// A new job that runs; null if too many do.
  private synchronized @Nullable Entry add(String operation, String title, Caller caller) {
    if (entries.values().stream().filter(each -> each.job.state() == Job.State.RUNNING).count()
        >= MOST_RUNNING) {
      return null;
    }
    String id = ids.get();
    Entry entry =
        new Entry(
            new Job(
                null,
                id,
                operation,
                title,
                caller.name(),
                Job.State.RUNNING,
                clock.instant(),
                null,
                0,
                0,
                "",
                null));
    entries.put(id, entry);
    forgetOld();
    return entry;
  }

  private void run(Entry entry, Call.Work work) {
    try {
      String text = work.run((done, total, of) -> progress(entry, done, total, of));
      end(entry, Job.State.DONE, text);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end(entry, Job.State.CANCELLED, "It was cancelled.");
    } catch (Exception e) {
      String reason = Objects.requireNonNullElse(e.getMessage(), e.toString());
      log(entry.job, reason, e);
      end(entry, Job.State.FAILED, reason);
    }
  }

  /// The message of an IOException says what is in the way of the work, such as a file or another
  /// server; other exceptions are defects.
  private static void log(Job job, String reason, Exception cause) {
    (cause instanceof IOException ? LOG.atWarn() : LOG.atError().setCause(cause))
        .addKeyValue("operation", job.operation())
        .addKeyValue("job", job.id())
        .addKeyValue("reason", reason)
        .log("job_failed");
  }

  private synchronized void progress(Entry entry, long done, long total, String of) {
    entry.job = entry.job.at(done, total, of);
  }

  private synchronized void end(Entry entry, Job.State state, String text) {
    entry.job = entry.job.end(state, clock.instant(), text);
    notifyAll();
  }

  private void forgetOld() {
    List<String> ended = new ArrayList<>();
    entries.forEach((id, entry) -> {
      if (entry.job.state() != Job.State.RUNNING) {
        ended.add(id);
      }
    });
    ended.stream().limit(Math.max(0, ended.size() - MOST_ENDED)).forEach(entries::remove);
  }

  /// All jobs that are remembered, the newest first.
  public synchronized List<Job> list() {
    return entries.values().stream().map(each -> each.job).toList().reversed();
  }

  /// The job of that identifier, or null.
  public synchronized @Nullable Job find(String id) {
    Entry entry = entries.get(id);
    return entry == null ? null : entry.job;
  }

  /// Waits until a job has ended, or for that time.
  ///
  /// @return the job, or null if there is none
  public synchronized @Nullable Job await(String id, long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    Job job = find(id);
    while (job != null && job.state() == Job.State.RUNNING) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return job;
      }
      wait(left);
      job = find(id);
    }
    return job;
  }

  /// Has a job interrupted; false if there is none that runs.
  public boolean cancel(String id) {
    FutureTask<?> future;
    synchronized (this) {
      Entry entry = entries.get(id);
      if (entry == null || entry.job.state() != Job.State.RUNNING) {
        return false;
      }
      future = entry.future;
    }
    return future != null && future.cancel(true);
  }
}
