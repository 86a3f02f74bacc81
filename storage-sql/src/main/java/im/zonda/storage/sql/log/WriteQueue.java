package im.zonda.storage.sql.log;

import im.zonda.config.limits.HeapShare;
import im.zonda.jid.Jid;
import im.zonda.store.StoreException;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Queue of operations for the writer thread. Any thread may offer; only the writer polls.
///
/// Bounded in bytes. The bound is large enough to hold the messages of a minute while the database
/// is unavailable; congested from three quarters of it. While the database works, congested far
/// sooner: a longer queue would make nothing faster, and the garbage collector copies what it
/// holds. Congestion ends when a third of those bytes has been committed. The last eighth is
/// reserved for small entries: the queue fills up with large ones, or with those of senders that
/// have been asked to stop already.
public final class WriteQueue {
  private static final Logger log = LoggerFactory.getLogger(WriteQueue.class);

  /// The bytes from which on the queue is congested while the database works.
  private static final long WORKING_BYTES = 8 << 20;

  /// The time without a commit after which the database counts as stalled.
  private static final long STALL_NANOS = 1_000_000_000;

  /// Entries of at most this size may use the last eighth of the queue.
  private static final int SMALL_BYTES = 8_192;

  /// Maximum number of blocking writes in the queue.
  private static final int MAX_BLOCKING_WRITES = 20_000;

  /// The slot of operations that are counted for no owner.
  static final int NO_SLOT = -1;

  /// A power of two.
  private static final int SLOTS = 4_096;

  private final ConcurrentLinkedQueue<WriteOperation> queue = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<BackgroundTask> background = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Runnable> onRelief = new ConcurrentLinkedQueue<>();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong open = new AtomicLong();
  private final AtomicInteger changes = new AtomicInteger();

  /// The operations that are counted for an owner, by the owner's slot. Few owners share one.
  private final AtomicIntegerArray slots = new AtomicIntegerArray(SLOTS);

  private final long limit;
  private final LongSupplier nanos;

  /// Since when something is being stored, by the clock; 0 if nothing is.
  private volatile long storingSince;

  private volatile boolean congested;
  private volatile boolean closed;
  private volatile boolean ended;
  private volatile @Nullable Thread sleeper;
  private volatile @Nullable Thread writer;

  /// Creates a queue for `limit` bytes.
  public WriteQueue(long limit) {
    this(limit, System::nanoTime);
  }

  /// @param nanos a clock like [System#nanoTime]
  WriteQueue(long limit, LongSupplier nanos) {
    this.limit = limit;
    this.nanos = nanos;
  }

  /// The bound in bytes: the configured limit, but no more than the log queue's share of the heap.
  public static long limitFor(long allowed, long heap) {
    long share = HeapShare.LOG_QUEUE.bound(allowed, heap);
    if (allowed > share) {
      log.atInfo()
          .addKeyValue("allowed", allowed)
          .addKeyValue("used", share)
          .log("store_queue_bounded_by_heap");
    }
    return share;
  }

  /// Adds an entry. Throws `OVERLOADED` if the queue is full.
  void offerEntry(PendingEntry entry) {
    requireOpen();
    long before = bytes.getAndAdd(entry.bytes());
    long after = before + entry.bytes();
    if (before > 0 && after > (entry.bytes() > SMALL_BYTES ? limit / 8 * 7 : limit)) {
      bytes.addAndGet(-entry.bytes());
      throw new StoreException(
          StoreException.Category.OVERLOADED,
          before + " bytes of messages wait for the commit already",
          null);
    }
    add(entry);
    noticeCongestion(after);
    failIfEnded(entry);
  }

  /// Adds a write that its caller waits for. Throws `OVERLOADED` if there are too many.
  void offerBlocking(BlockingWrite<?> change) {
    requireOpen();
    if (Thread.currentThread().equals(writer)) {
      throw new IllegalStateException("an action of a receipt must not wait for the store");
    }
    if (changes.incrementAndGet() > MAX_BLOCKING_WRITES) {
      changes.decrementAndGet();
      throw new StoreException(
          StoreException.Category.OVERLOADED, MAX_BLOCKING_WRITES + " changes wait already", null);
    }
    add(change);
    LockSupport.unpark(writer); // it may be waiting for more entries
    failIfEnded(change);
  }

  /// Fails the operation if the writer ended just before it was added. Either this or the writer
  /// removes it, never both.
  private void failIfEnded(WriteOperation operation) {
    if (ended && queue.remove(operation)) {
      finish(operation);
      operation.failed(closedException());
    }
  }

  /// Adds an operation that is always accepted, because it only completes earlier work.
  public void offer(WriteOperation operation) {
    if (closed) {
      return;
    }
    if (operation instanceof BackgroundTask task) {
      background.add(task);
      wake();
      return;
    }
    noticeCongestion(bytes.addAndGet(operation.bytes()));
    add(operation);
  }

  /// The slot of an owner.
  static int slotOf(Jid owner) {
    int hash = owner.hashCode();
    return (hash ^ (hash >>> 16)) & (SLOTS - 1);
  }

  private void add(WriteOperation operation) {
    open.incrementAndGet();
    count(operation, 1);
    queue.add(operation);
    wake();
  }

  private void count(WriteOperation operation, int change) {
    int slot = operation.slot();
    if (slot != NO_SLOT) {
      slots.addAndGet(slot, change);
    }
  }

  private void wake() {
    Thread thread = sleeper;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  /// Notes that a transaction begins; it may repeat one that has failed. Called by the writer only.
  void storing() {
    if (storingSince == 0) {
      storingSince = nanos.getAsLong() | 1;
    }
  }

  /// Notes that the database cannot store anything: from now on the queue holds what its bound
  /// allows. Called by the writer only.
  void failing() {
    storingSince = nanos.getAsLong() - STALL_NANOS | 1;
    relieve();
  }

  /// Notes that a transaction has been committed. Called by the writer only.
  void stored() {
    storingSince = 0;
  }

  private long congestedFrom() {
    long since = storingSince;
    boolean works = since == 0 || nanos.getAsLong() - since < STALL_NANOS;
    return works ? Math.min(WORKING_BYTES, limit / 4 * 3) : limit / 4 * 3;
  }

  /// Sets the thread that polls.
  void setWriter(Thread thread) {
    writer = thread;
  }

  /// Returns the next operation, or null. Called by the writer only.
  @Nullable WriteOperation poll() {
    return queue.poll();
  }

  /// Returns the next background task, or null. Called by the writer only.
  @Nullable BackgroundTask pollBackground() {
    BackgroundTask task = background.poll();
    if (task != null) {
      open.incrementAndGet();
    }
    return task;
  }

  /// Returns the next background task that is urgent now, or null. It must not wait behind the
  /// operations that are queued: they make more of the work that it does. Called by the writer
  /// only.
  @Nullable BackgroundTask pollUrgent() {
    for (BackgroundTask task : background) {
      if (task.isUrgent()) {
        background.remove(task);
        open.incrementAndGet();
        return task;
      }
    }
    return null;
  }

  /// Whether a background task waits.
  boolean hasBackground() {
    return !background.isEmpty();
  }

  /// Whether a background task waits that is urgent now. Called by the writer only.
  boolean hasUrgent() {
    return background.stream().anyMatch(BackgroundTask::isUrgent);
  }

  /// Sleeps until there is an operation, for at most `nanos`, or until the queue is closed. Called
  /// by the writer only.
  ///
  /// @param ready what ends the sleep too
  void sleepWhileEmpty(long nanos, BooleanSupplier ready) {
    long start = System.nanoTime();
    sleeper = Thread.currentThread();
    for (long left = nanos;
        left > 0 && queue.isEmpty() && !closed && !ready.getAsBoolean();
        left = nanos - (System.nanoTime() - start)) {
      LockSupport.parkNanos(this, left);
    }
    sleeper = null;
  }

  /// Releases the share of an operation that was polled before and has an outcome now.
  void finish(WriteOperation operation) {
    open.decrementAndGet();
    count(operation, -1);
    if (operation instanceof BlockingWrite) {
      changes.decrementAndGet();
    } else {
      bytes.addAndGet(-operation.bytes());
    }
  }

  /// Ends congestion if the queue has drained enough. Called by the writer after each group.
  void relieve() {
    if (congested && bytes.get() < congestedFrom() / 3 * 2) {
      synchronized (this) {
        congested = false;
      }
      runRelief();
    } else if (!congested && !onRelief.isEmpty()) {
      runRelief();
    }
  }

  /// Whether reading from senders should pause.
  boolean congested() {
    return congested;
  }

  /// Whether an entry may soon find no room.
  boolean nearlyFull() {
    return bytes.get() > limit / 2;
  }

  /// Runs `action` as soon as the queue is not congested.
  void onRelief(Runnable action) {
    onRelief.add(action);
    if (!congested()) {
      runRelief();
    }
  }

  private void noticeCongestion(long now) {
    if (now <= Math.min(WORKING_BYTES, limit / 4 * 3)) {
      return;
    }
    long from = congestedFrom();
    if (now > from && !congested) {
      synchronized (this) {
        congested = true;
        // The writer may have drained the queue before `congested` was set.
        if (bytes.get() < from / 3 * 2) {
          congested = false;
        }
      }
    } else if (congested) {
      relieve(); // the bound is higher if the database has stalled meanwhile
    }
  }

  private void runRelief() {
    Runnable action = onRelief.poll();
    while (action != null) {
      try {
        action.run();
      } catch (RuntimeException | Error e) {
        log.atError().setCause(e).log("store_relief_action_failed");
      }
      action = onRelief.poll();
    }
  }

  /// Whether a caller waits for a write.
  boolean hasBlockingWrite() {
    return changes.get() > 0;
  }

  /// Whether nothing is queued and no transaction is in progress.
  public boolean idle() {
    return open.get() == 0;
  }

  /// Whether it is certain that nothing is queued or in progress that changes which entries of an
  /// owner wait.
  boolean idle(Jid owner) {
    return open.get() == 0 || slots.get(slotOf(owner)) == 0;
  }

  /// The number of operations that are queued or in progress.
  long open() {
    return open.get();
  }

  /// The queued operations, oldest first; a weakly consistent view, read-only.
  Iterable<WriteOperation> view() {
    return queue;
  }

  /// The background tasks that have not begun. Called by the writer only.
  List<BackgroundTask> background() {
    return List.copyOf(background);
  }

  /// Bytes that are queued.
  public long bytes() {
    return bytes.get();
  }

  /// Rejects new operations; the writer processes those in the queue and ends.
  public void close() {
    closed = true;
    LockSupport.unpark(writer);
  }

  boolean isClosed() {
    return closed;
  }

  /// The writer ends after draining the queue once more.
  void end() {
    closed = true;
    ended = true;
  }

  private void requireOpen() {
    if (closed) {
      throw closedException();
    }
  }

  static StoreException closedException() {
    return new StoreException(StoreException.Category.CLOSED, "the store is closed", null);
  }
}
