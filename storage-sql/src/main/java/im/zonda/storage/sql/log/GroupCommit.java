package im.zonda.storage.sql.log;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.database.Dialect;
import im.zonda.storage.sql.database.SqlFailures;
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

/// The writer thread's loop: takes operations from the queue and commits them in groups, in order.
///
/// While the database cannot store anything, log entries are held here and retried with growing
/// pauses; blocking writes fail at once. If one operation of a group is at fault, the group is
/// split in halves until that operation is alone and fails alone.
public final class GroupCommit implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(GroupCommit.class);
  private static final long FIRST_PAUSE_NANOS = 20_000_000;
  private static final long LONGEST_PAUSE_NANOS = 500_000_000;

  /// How many times the minimum time between two commits passes while operations arrive.
  private static final int STEADY_PAUSE = 3;

  /// Operations arrive while the last one is not older than this.
  private static final long BUSY_NANOS = 50_000_000;

  /// While operations arrive, background work pauses for this many times the duration of a portion.
  private static final int BUSY_PAUSE = 40;

  /// How often a transaction that a transaction of another node has hindered is repeated at once.
  private static final int REPEATS = 5;

  /// How many attempts may fail for an unknown reason, one after the other, although the database
  /// stores a small write after each: about three seconds.
  private static final int UNCLEAR_FAILURES = 10;

  private final WriteQueue queue;
  private final WriterConnection connection;
  private final Dialect dialect;
  private final WriterMetrics metrics;
  private final int maxGroup;
  private final long delayNanos;

  /// Operations that could not be stored yet, oldest first. Other threads only read it.
  private final ConcurrentLinkedDeque<WriteOperation> held = new ConcurrentLinkedDeque<>();

  /// The operations of the current transaction.
  private final List<WriteOperation> current = new ArrayList<>();

  private boolean retrying;

  /// How many attempts have failed for an unknown reason since something was stored.
  private int unclear;

  /// The current group was not stored because this process is fenced.
  private boolean fenced;

  private boolean stopped;
  private boolean down;
  private boolean failedAfterClose;
  private long lastCommitNanos = System.nanoTime();
  private long pauseNanos;
  private long lastOperationNanos = System.nanoTime() - BUSY_NANOS;

  /// When the next portion of background work may run.
  private long backgroundNanos = System.nanoTime();

  /// @param maxGroup the maximum number of operations in a transaction
  /// @param delayMillis the minimum time between two commits, in ms; three times as long while log
  ///   entries arrive
  public GroupCommit(
      WriteQueue queue,
      WriterConnection connection,
      Dialect dialect,
      WriterMetrics metrics,
      int maxGroup,
      int delayMillis) {
    this.queue = queue;
    this.connection = connection;
    this.dialect = dialect;
    this.metrics = metrics;
    this.maxGroup = maxGroup;
    this.delayNanos = delayMillis * 1_000_000L;
  }

  /// Runs until the queue is closed and empty, then closes the connection.
  @Override
  public void run() {
    queue.setWriter(Thread.currentThread());
    try {
      processQueue();
    } catch (RuntimeException | Error e) {
      // A bug in this server: stop, because the state of the writer is unknown.
      stopped = true;
      metrics.recordOutage(dialect.exception(e), true);
      queue.close();
      log.atError().setCause(e).log("store_writer_died");
    }
    end();
  }

  private void processQueue() {
    while (fillGroup(current)) {
      if (commit(current)) {
        delayBackground(current);
        pauseNanos = 0;
        unclear = 0;
        if (down && held.isEmpty()) {
          recovered(); // if the last held operation failed permanently
        }
      } else {
        drainWhileDown();
      }
      current.clear();
      queue.relieve();
    }
  }

  /// The owner's waiting entries that are not in the database, by id. Entries that are in the
  /// database but have been delivered map to null.
  ///
  /// Complete for entries that were appended before a blocking write that has failed since.
  Map<Long, MessageLog.@Nullable Entry> uncommitted(Jid owner) {
    Map<Long, MessageLog.@Nullable Entry> found = new HashMap<>();
    Set<Long> delivered = new HashSet<>();
    for (Iterable<WriteOperation> operations : List.of(held, queue.view())) {
      for (WriteOperation operation : operations) {
        switch (operation) {
          case PendingEntry pending -> {
            MessageLog.Entry entry = pending.waiting();
            if (entry != null && entry.owner().equals(owner)) {
              found.put(entry.id(), entry);
            }
          }
          case WriteOperation.Delivery delivery -> delivered.add(delivery.id());
          case WriteOperation.Settlement settlement -> {
            if (settlement.owner().equals(owner)) {
              delivered.addAll(settlement.ids());
            }
          }
          case UnreadableEntries ignored -> {}
          case BlockingWrite<?> ignored -> {}
          case BackgroundTask ignored -> {}
          case WriteOperation.IdReservation ignored -> {}
          case WriteOperation.TakeOver ignored -> {}
          case WriteOperation.Probe ignored -> {}
        }
      }
    }
    delivered.forEach(id -> found.put(id, null));
    return found;
  }

  /// Fills the next group. Returns false if there are no more operations and the queue is closed.
  private boolean fillGroup(List<WriteOperation> group) {
    retrying = !held.isEmpty();
    if (retrying) {
      if (failedAfterClose) {
        return false;
      }
      pause();
      for (WriteOperation operation : held) {
        if (group.size() == maxGroup) {
          break;
        }
        group.add(operation);
      }
      return true;
    }
    WriteOperation first = queue.poll();
    while (first == null) {
      if (queue.isClosed()) {
        return false;
      }
      if (down && !stopped) {
        // Probe the database: no operation may arrive that would detect the recovery.
        queue.sleepWhileEmpty(pauseNanos, () -> false);
        first = queue.poll();
        if (first == null) {
          queue.offer(new WriteOperation.Probe());
          first = queue.poll();
        }
      } else if (addBackground(group, System.nanoTime())) {
        return true;
      } else {
        awaitOperation();
        first = queue.poll();
      }
    }
    awaitMoreOperations();
    for (WriteOperation operation = first; operation != null; operation = queue.poll()) {
      group.add(operation);
      if (group.size() == maxGroup) {
        break;
      }
    }
    lastOperationNanos = System.nanoTime();
    addBackground(group, lastOperationNanos);
    return true;
  }

  /// Adds a portion of background work to the group: urgent work always, other work if its time has
  /// come.
  private boolean addBackground(List<WriteOperation> group, long now) {
    if (down) {
      return false;
    }
    BackgroundTask task = queue.pollUrgent();
    if (task == null && now - backgroundNanos >= 0) {
      task = queue.pollBackground();
    }
    if (task != null) {
      group.add(task);
    }
    return task != null;
  }

  /// Sleeps until an operation arrives or background work can be done.
  private void awaitOperation() {
    if (queue.hasBackground()) {
      queue.sleepWhileEmpty(backgroundNanos - System.nanoTime(), queue::hasUrgent);
    } else {
      queue.sleepWhileEmpty(Long.MAX_VALUE, queue::hasBackground);
    }
  }

  /// Determines when the next portion of background work may run: while operations arrive it gets a
  /// small share of the time, otherwise half of it.
  private void delayBackground(List<WriteOperation> group) {
    if (group.getLast() instanceof BackgroundTask task && !task.wasUrgent()) {
      long now = System.nanoTime();
      boolean busy = group.size() > 1 || queue.open() > 0 || now - lastOperationNanos < BUSY_NANOS;
      backgroundNanos = now + task.nanos() * (busy ? BUSY_PAUSE : 1);
    }
  }

  /// Waits until the minimum time since the last commit has passed, so that a steady trickle of
  /// entries does not cost a disk flush each. An entry after an idle period does not wait.
  ///
  /// While operations arrive, the time is three times as long, because a commit costs about the
  /// same whatever its size; but not if a caller waits for a blocking write.
  private void awaitMoreOperations() {
    boolean steady = System.nanoTime() - lastCommitNanos < BUSY_NANOS;
    while (!queue.isClosed() && queue.open() < maxGroup) {
      boolean patient = steady && !queue.hasBlockingWrite();
      long end = lastCommitNanos + (patient ? STEADY_PAUSE * delayNanos : delayNanos);
      long left = end - System.nanoTime();
      if (left <= 0) {
        return;
      }
      LockSupport.parkNanos(this, left);
    }
  }

  private void pause() {
    long end = System.nanoTime() + pauseNanos;
    for (long left = pauseNanos; left > 0 && !queue.isClosed(); left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
  }

  /// Commits the operations, in halves if one of them is at fault. Returns false if the database
  /// cannot store anything.
  private boolean commit(List<WriteOperation> group) {
    long start = System.nanoTime();
    Throwable failure = attempt(group);
    for (int i = 0; i < REPEATS && failure != null && isConflict(failure); i++) {
      metrics.countFailure();
      group.forEach(WriteOperation::rolledBack);
      failure = attempt(group);
    }
    if (failure == null) {
      lastCommitNanos = System.nanoTime();
      metrics.countCommit(group.size(), lastCommitNanos - start);
      group.forEach(this::finished);
      if (down && held.isEmpty()) {
        recovered(); // before receipts are notified, whose actions may read the state
      }
      group.forEach(WriteOperation::committed);
      return true;
    }
    metrics.countFailure();
    boolean unknown = connection.isCommitBegun() && dialect.isCommitUnknown(failure);
    group.forEach(unknown ? WriteOperation::outcomeUnknown : WriteOperation::rolledBack);
    if (!isOwnFault(failure)) {
      hold(group, failure);
      return false;
    }
    if (group.size() == 1) {
      WriteOperation operation = group.getFirst();
      finished(operation);
      metrics.countLost();
      StoreException cause = rejection(failure);
      if (operation.keptInOutage()) {
        logFailed(operation, cause, SqlFailures.find(failure) != null);
      }
      operation.failed(cause);
      return true;
    }
    int half = group.size() / 2;
    if (commit(group.subList(0, half))) {
      return commit(group.subList(half, group.size()));
    }
    hold(group.subList(half, group.size()), failure);
    return false;
  }

  /// Whether operations of the group are at fault, and not the database. Where the failure does not
  /// tell, they are once a small write has succeeded after each of several attempts: what fails for
  /// ever must not keep everything behind it from being stored.
  private boolean isOwnFault(Throwable failure) {
    return switch (dialect.fault(failure)) {
      case OPERATION -> true;
      case DATABASE -> {
        unclear = 0;
        yield false;
      }
      case UNKNOWN -> {
        boolean works = !stopped && !connection.isCommitBegun() && !dialect.isFenced();
        unclear = works && attempt(List.of(new WriteOperation.Probe())) == null ? unclear + 1 : 0;
        yield unclear > UNCLEAR_FAILURES;
      }
    };
  }

  /// @param rejected by the database; otherwise this server has a bug
  private static void logFailed(WriteOperation operation, StoreException cause, boolean rejected) {
    if (rejected) {
      log.atWarn()
          .addKeyValue("work", operation)
          .addKeyValue("reason", cause.getMessage())
          .log("store_work_failed");
    } else {
      log.atError().addKeyValue("work", operation).setCause(cause).log("store_work_failed");
    }
  }

  /// The failure of an operation that will never succeed.
  private StoreException rejection(Throwable failure) {
    StoreException cause = dialect.exception(failure);
    return cause.category() == StoreException.Category.UNAVAILABLE
            && !(failure instanceof StoreException)
        ? new StoreException(
            StoreException.Category.REJECTED, String.valueOf(cause.getMessage()), failure)
        : cause;
  }

  private boolean isConflict(Throwable failure) {
    return !connection.isCommitBegun() && dialect.isConflict(failure);
  }

  /// Runs one transaction. Returns the failure, or null.
  private @Nullable Throwable attempt(List<WriteOperation> group) {
    if (stopped) {
      return dialect.stopped();
    }
    try {
      queue.storing();
      connection.begin();
      for (WriteOperation operation : group) {
        operation.apply(connection);
      }
      connection.commit();
      queue.stored();
      return null;
    } catch (SQLException | RuntimeException | Error e) {
      try {
        connection.rollback();
      } catch (SQLException rollback) {
        e.addSuppressed(rollback);
      }
      stopped = dialect.isFinal(e);
      return e;
    }
  }

  private void finished(WriteOperation operation) {
    if (retrying) {
      held.removeFirstOccurrence(operation);
    }
    queue.finish(operation);
  }

  /// Holds the operations that are kept in an outage and fails the others.
  private void hold(List<WriteOperation> group, Throwable failure) {
    // Asked once: who learns that something is not stored may have this process admitted again.
    fenced |= dialect.isFenced();
    StoreException cause = dialect.exception(stopped ? dialect.stopped() : failure);
    down = true;
    failedAfterClose = queue.isClosed();
    pauseNanos =
        pauseNanos == 0 ? FIRST_PAUSE_NANOS : Math.min(pauseNanos * 2, LONGEST_PAUSE_NANOS);
    if (metrics.recordOutage(cause, stopped)) {
      log.atError().setCause(cause).log("store_failing");
    }
    queue.failing();
    if (fenced) {
      discard(group);
      return;
    }
    if (!retrying) {
      group.stream().filter(WriteOperation::keptInOutage).forEach(held::add);
    }
    for (WriteOperation operation : group) {
      if (!operation.keptInOutage()) {
        queue.finish(operation);
        operation.failed(cause);
      }
    }
  }

  /// This process is fenced: fails the group, and all held and queued operations. Their stanzas are
  /// sent again to the homes at other nodes.
  private void discard(List<WriteOperation> group) {
    List<WriteOperation> all = new ArrayList<>(held);
    held.clear();
    if (!retrying) {
      all.addAll(group);
    }
    for (WriteOperation operation = queue.poll(); operation != null; operation = queue.poll()) {
      all.add(operation);
    }
    StoreException cause =
        new StoreException(
            StoreException.Category.CLOSED, "this node was evicted from the cluster", null);
    if (!all.isEmpty()) {
      log.atWarn().addKeyValue("operations", all.size()).log("store_fenced");
    }
    for (WriteOperation operation : all) {
      queue.finish(operation);
      operation.failed(cause);
    }
  }

  /// Drains the queue during an outage: entries are held, blocking writes fail.
  private void drainWhileDown() {
    if (fenced) {
      fenced = false; // what is queued now may be of a member again
      return;
    }
    StoreException cause = metrics.outageCause();
    List<WriteOperation> unanswered = new ArrayList<>();
    for (WriteOperation operation = queue.poll(); operation != null; operation = queue.poll()) {
      if (operation.keptInOutage()) {
        held.add(operation);
      } else {
        unanswered.add(operation);
      }
    }
    for (WriteOperation operation : unanswered) {
      queue.finish(operation);
      operation.failed(cause);
    }
  }

  private void recovered() {
    down = false;
    if (metrics.recordRecovery()) {
      log.atInfo().log("store_recovered");
    }
  }

  private void end() {
    StoreException closed = WriteQueue.closedException();
    queue.end();
    current.forEach(operation -> operation.failed(closed)); // not empty only if the writer died
    if (!held.isEmpty()) {
      // None of these has been acknowledged.
      log.atError().addKeyValue("entries", held.size()).log("store_closed_while_failing");
    }
    held.forEach(operation -> operation.failed(closed));
    held.clear();
    for (WriteOperation operation = queue.poll(); operation != null; operation = queue.poll()) {
      operation.failed(closed);
    }
    queue.background().forEach(task -> task.failed(closed)); // continues after the next start
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
