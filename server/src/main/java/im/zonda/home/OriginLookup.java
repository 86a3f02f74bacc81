package im.zonda.home;

import im.zonda.module.Scheduler;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.AppendedOrigins;
import im.zonda.store.ClusterLog;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Finds the own copies of senders in the message log, for homes of senders whose former home has
/// died. Any thread may call.
///
/// The log has no index of origins: to find one, it reads all entries of some minutes. So all
/// origins of these minutes are read once for all homes, and kept for a while.
///
/// A snapshot may be used because the entries that it is asked for no longer change. A sender's own
/// copy is appended by the node of the sender's home. When homes open here, their former node is
/// fenced if it is dead, and has committed all their entries if it lives. A snapshot that was begun
/// after that has all of them. Later entries are appended by living homes, whose sessions count
/// them, so their clients do not send them again. Each opening of homes invalidates the snapshots
/// that were begun before.
public final class OriginLookup {
  /// How long to wait before a database that is away is asked again.
  private static final Duration AGAIN = Duration.ofSeconds(1);

  /// How much more of the log is read than was asked for: sessions were lost or copied at different
  /// times.
  private static final Duration MARGIN = Duration.ofMinutes(1);

  /// A snapshot that was not used for this long is discarded, after twice that at the latest.
  private static final Duration UNUSED = Duration.ofMinutes(2);

  /// @param since from when on it has all entries, in ms since 1970
  private record Snapshot(AppendedOrigins origins, long since) {}

  /// @param since from when on entries are of interest, in ms since 1970
  /// @param opening the last opening of homes before
  private record Question(long since, long opening, CompletableFuture<AppendedOrigins> answer) {
    boolean isCovered(long from, long begun) {
      return from <= since && opening <= begun;
    }
  }

  private final ClusterLog log;
  private final Executor workers;
  private final Scheduler scheduler;
  private final InstantSource clock;

  // Guarded by this object's monitor.
  private final List<Question> waiting = new ArrayList<>();
  private boolean loading;
  private long openings;
  private @Nullable Snapshot snapshot;
  private boolean used;
  private Scheduler.@Nullable Cancellable timer;

  public OriginLookup(ClusterLog log, ServerRuntime runtime) {
    this.log = log;
    this.workers = runtime.workers();
    this.scheduler = runtime.scheduler();
    this.clock = runtime.clock();
  }

  /// Whether entries of the log keep their origin ([ClusterLog#keepsOrigins]).
  public boolean keepsOrigins() {
    return log.keepsOrigins();
  }

  /// Whether the log has the sender's own copy of a message: alone, or as a part of the receiver's
  /// entry. Blocks until the log has been read, also while the database is away.
  ///
  /// @param copy the origin of the sender's copy
  /// @param received the origin of the receiver's entry
  /// @param age how long ago a former home of the sender may have appended it
  /// @throws StoreException if the log can no longer be read
  public boolean hasSentCopy(long copy, long received, Duration age) {
    AppendedOrigins appended = appendedSince(clock.millis() - age.toMillis());
    return appended.contains(copy) || appended.containsSentCopy(received);
  }

  /// Called before homes open here, when no other process writes for them. Returns at once.
  public synchronized void opening() {
    openings++;
    drop();
  }

  private AppendedOrigins appendedSince(long since) {
    Question question;
    synchronized (this) {
      used = true;
      Snapshot known = snapshot;
      if (known != null && known.since <= since) {
        return known.origins;
      }
      question = new Question(since, openings, new CompletableFuture<>());
      waiting.add(question);
      if (!loading) {
        loading = true;
        workers.execute(this::load);
      }
    }
    try {
      return question.answer.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof StoreException cause ? cause : e;
    }
  }

  private void load() {
    long begun;
    long since;
    Duration age;
    synchronized (this) {
      begun = openings;
      long first = waiting.stream().mapToLong(Question::since).min().orElseThrow();
      since = first - MARGIN.toMillis();
      age = Duration.ofMillis(Math.max(0, clock.millis() - since));
    }
    try {
      if (loaded(new Snapshot(log.appendedOrigins(age), since), begun)) {
        workers.execute(this::load);
      }
    } catch (StoreException e) {
      if (e.retryable()) {
        scheduler.schedule(AGAIN, () -> workers.execute(this::load));
      } else {
        failed(e);
      }
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  /// Answers what the snapshot covers.
  ///
  /// @return whether something else waits: the log is to be read again
  private boolean loaded(Snapshot next, long begun) {
    List<Question> covered = new ArrayList<>();
    boolean again;
    synchronized (this) {
      for (Iterator<Question> each = waiting.iterator(); each.hasNext(); ) {
        Question question = each.next();
        if (question.isCovered(next.since, begun)) {
          covered.add(question);
          each.remove();
        }
      }
      if (begun == openings) {
        drop();
        snapshot = next;
        timer = scheduler.schedule(UNUSED, this::dropUnused);
      }
      again = !waiting.isEmpty();
      loading = again;
    }
    covered.forEach(question -> question.answer.complete(next.origins));
    return again;
  }

  private void failed(Throwable cause) {
    List<Question> asked;
    synchronized (this) {
      asked = List.copyOf(waiting);
      waiting.clear();
      loading = false;
    }
    asked.forEach(question -> question.answer.completeExceptionally(cause));
  }

  /// How many questions wait for the log.
  synchronized int waiting() {
    return waiting.size();
  }

  private synchronized void dropUnused() {
    if (used && snapshot != null) {
      used = false;
      timer = scheduler.schedule(UNUSED, this::dropUnused);
    } else {
      drop();
    }
  }

  private synchronized void drop() {
    snapshot = null;
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
