package im.zonda.storage.sql.log;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.database.SqliteDialect;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The writer: takes what is queued and commits it in groups, in order, in one thread.
///
/// When the database cannot store anything, log entries stay here and are tried again with growing
/// pauses, while callers that wait for a change get the error. When one work of a group is at
/// fault, the group is halved until that work stands alone and fails alone.
public final class GroupCommit implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(GroupCommit.class);
  private static final long FIRST_PAUSE_NANOS = 20_000_000;
  private static final long LONGEST_PAUSE_NANOS = 500_000_000;

  private final WriteQueue queue;
  private final WriterConnection connection;
  private final SqliteDialect dialect;
  private final Meter meter;
  private final int maxGroup;
  private final long delayNanos;

  /// What could not be stored yet, oldest first. Others only read it.
  private final ConcurrentLinkedDeque<Work> held = new ConcurrentLinkedDeque<>();

  /// What the present transaction is to hold.
  private final List<Work> current = new ArrayList<>();

  private boolean retrying;
  private boolean stopped;
  private boolean down;
  private boolean failedAfterClose;
  private long lastCommitNanos = System.nanoTime();
  private long pauseNanos;

  /// @param maxGroup the most works of one transaction
  /// @param delayMillis how long after a commit the next one waits for company, in ms
  public GroupCommit(
      WriteQueue queue,
      WriterConnection connection,
      SqliteDialect dialect,
      Meter meter,
      int maxGroup,
      int delayMillis) {
    this.queue = queue;
    this.connection = connection;
    this.dialect = dialect;
    this.meter = meter;
    this.maxGroup = maxGroup;
    this.delayNanos = delayMillis * 1_000_000L;
  }

  /// Works until the queue is closed and empty, then closes the connection.
  @Override
  public void run() {
    queue.takenBy(Thread.currentThread());
    try {
      work();
    } catch (RuntimeException | Error e) {
      // A defect of ours: better no writer that anyone waits for than one that guesses.
      stopped = true;
      meter.outage(dialect.exception(e), true);
      queue.close();
      log.atError().setCause(e).log("store_writer_died");
    }
    end();
  }

  private void work() {
    while (next(current)) {
      if (commit(current)) {
        pauseNanos = 0;
        if (down && held.isEmpty()) {
          recovered(); // if the last of them was given up
        }
      } else {
        drainWhileDown();
      }
      current.clear();
      queue.relieve();
    }
  }

  /// The owner's waiting entries that are not in the database, by id; entries that are there but
  /// have been delivered map to null.
  ///
  /// Complete for what was appended before a change that has failed since.
  Map<Long, MessageLog.@Nullable Entry> uncommitted(Jid owner) {
    Map<Long, MessageLog.@Nullable Entry> found = new HashMap<>();
    Set<Long> delivered = new HashSet<>();
    for (Iterable<Work> works : List.of(held, queue.view())) {
      for (Work work : works) {
        switch (work) {
          case PendingEntry pending -> {
            MessageLog.Entry entry = pending.waiting();
            if (entry != null && entry.owner().equals(owner)) {
              found.put(entry.id(), entry);
            }
          }
          case Work.Delivery delivery -> delivered.add(delivery.id());
          case Work.Settlement settlement -> {
            if (settlement.owner().equals(owner)) {
              delivered.addAll(settlement.ids());
            }
          }
          case Change<?> ignored -> {}
          case Chore ignored -> {}
          case Work.IdReservation ignored -> {}
          case Work.Probe ignored -> {}
        }
      }
    }
    delivered.forEach(id -> found.put(id, null));
    return found;
  }

  /// Fills the next group; false if there will be none.
  private boolean next(List<Work> group) {
    retrying = !held.isEmpty();
    if (retrying) {
      if (failedAfterClose) {
        return false;
      }
      pause();
      for (Work work : held) {
        if (group.size() == maxGroup) {
          break;
        }
        group.add(work);
      }
      return true;
    }
    Work first = queue.poll();
    while (first == null) {
      if (queue.isClosed()) {
        return false;
      }
      if (down && !stopped) {
        // Nobody may come before all is well again, so that is found out without them.
        queue.sleepWhileEmpty(pauseNanos);
        first = queue.poll();
        if (first == null) {
          queue.offer(new Work.Probe());
          first = queue.poll();
        }
      } else {
        queue.sleepWhileEmpty();
        first = queue.poll();
      }
    }
    awaitCompany();
    for (Work work = first; work != null; work = queue.poll()) {
      group.add(work);
      if (group.size() == maxGroup) {
        break;
      }
    }
    return true;
  }

  /// Lets a little time pass since the last commit, so that a steady trickle does not cost a disk
  /// flush for each entry. A lone entry after silence does not wait.
  private void awaitCompany() {
    long end = lastCommitNanos + delayNanos;
    for (long left = end - System.nanoTime();
        left > 0 && !queue.isClosed() && queue.open() < maxGroup;
        left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
  }

  private void pause() {
    long end = System.nanoTime() + pauseNanos;
    for (long left = pauseNanos; left > 0 && !queue.isClosed(); left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
  }

  /// Commits the works, in halves if one of them is at fault; false if the database cannot store.
  private boolean commit(List<Work> group) {
    long start = System.nanoTime();
    Throwable failure = attempt(group);
    if (failure == null) {
      lastCommitNanos = System.nanoTime();
      meter.committed(group.size(), lastCommitNanos - start);
      group.forEach(this::finished);
      if (down && held.isEmpty()) {
        recovered(); // before anyone hears of a commit and asks how the store is doing
      }
      group.forEach(Work::committed);
      return true;
    }
    meter.failed();
    group.forEach(Work::undone);
    if (dialect.isOutage(failure)) {
      hold(group, failure);
      return false;
    }
    if (group.size() == 1) {
      Work work = group.getFirst();
      finished(work);
      meter.lost();
      StoreException cause = dialect.exception(failure);
      if (work.kept()) {
        log.atError().addKeyValue("work", work).setCause(cause).log("store_work_failed");
      }
      work.failed(cause);
      return true;
    }
    int half = group.size() / 2;
    if (commit(group.subList(0, half))) {
      return commit(group.subList(half, group.size()));
    }
    hold(group.subList(half, group.size()), failure);
    return false;
  }

  /// One transaction; what went wrong, or null.
  private @Nullable Throwable attempt(List<Work> group) {
    if (stopped) {
      return SqliteDialect.stopped();
    }
    try {
      connection.begin();
      for (Work work : group) {
        work.apply(connection);
      }
      connection.commit();
      return null;
    } catch (SQLException | RuntimeException | Error e) {
      if (dialect.isFlushFailure(e)) {
        // The kernel may have dropped what it could not write and report success the next time.
        stopped = true;
      }
      try {
        connection.rollback();
      } catch (SQLException rollback) {
        e.addSuppressed(rollback);
      }
      return e;
    }
  }

  private void finished(Work work) {
    if (retrying) {
      held.removeFirstOccurrence(work);
    }
    queue.done(work);
  }

  /// Keeps what can wait; callers that wait get the error.
  private void hold(List<Work> group, Throwable failure) {
    StoreException cause = dialect.exception(failure);
    down = true;
    failedAfterClose = queue.isClosed();
    pauseNanos =
        pauseNanos == 0 ? FIRST_PAUSE_NANOS : Math.min(pauseNanos * 2, LONGEST_PAUSE_NANOS);
    if (meter.outage(cause, stopped)) {
      log.atError().setCause(cause).log("store_failing");
    }
    if (!retrying) {
      group.stream().filter(Work::kept).forEach(held::add);
    }
    for (Work work : group) {
      if (!work.kept()) {
        queue.done(work);
        work.failed(cause);
      }
    }
  }

  /// Takes what came meanwhile: entries join those that are held, and changes are answered.
  private void drainWhileDown() {
    StoreException cause = meter.outageCause();
    List<Work> unanswered = new ArrayList<>();
    for (Work work = queue.poll(); work != null; work = queue.poll()) {
      if (work.kept()) {
        held.add(work);
      } else {
        unanswered.add(work);
      }
    }
    for (Work work : unanswered) {
      queue.done(work);
      work.failed(cause);
    }
  }

  private void recovered() {
    down = false;
    if (meter.recovered()) {
      log.atInfo().log("store_recovered");
    }
  }

  private void end() {
    StoreException closed = WriteQueue.closedException();
    queue.end();
    current.forEach(work -> work.failed(closed)); // there are some only if the writer died
    if (!held.isEmpty()) {
      // None of these was acknowledged to anyone.
      log.atError().addKeyValue("entries", held.size()).log("store_closed_while_failing");
    }
    held.forEach(work -> work.failed(closed));
    held.clear();
    for (Work work = queue.poll(); work != null; work = queue.poll()) {
      work.failed(closed);
    }
    try {
      if (stopped) {
        connection.abandon();
      } else {
        connection.close();
      }
    } catch (SQLException e) {
      log.atError().setCause(e).log("store_close_failed");
    }
  }
}
