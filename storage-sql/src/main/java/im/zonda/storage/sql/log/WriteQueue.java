package im.zonda.storage.sql.log;

import im.zonda.config.HeapShare;
import im.zonda.store.StoreException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What waits for the writer. Any thread offers; only the writer takes.
///
/// Bounded in bytes. Above three quarters of the bound it is congested, until it is below half. The
/// bound is wide, so that messages can wait for a database that is away for a minute. What is left
/// when it is congested is for small entries: those that fill the queue are large, or their senders
/// have been asked to stop.
public final class WriteQueue {
  private static final Logger log = LoggerFactory.getLogger(WriteQueue.class);

  /// An entry of so many bytes may take the last of the room.
  private static final int SMALL_BYTES = 8_192;

  /// The most changes that are waited for at a time.
  private static final int MAX_CHANGES = 20_000;

  private final ConcurrentLinkedQueue<Work> queue = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Runnable> onRelief = new ConcurrentLinkedQueue<>();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong open = new AtomicLong();
  private final AtomicInteger changes = new AtomicInteger();
  private final long limit;
  private volatile boolean congested;
  private volatile boolean closed;
  private volatile boolean ended;
  private volatile @Nullable Thread sleeper;
  private volatile @Nullable Thread writer;

  /// A queue for `limit` bytes.
  public WriteQueue(long limit) {
    this.limit = limit;
  }

  /// How much may wait: what the limits allow, but never so much that it takes the heap from all
  /// else while the database is away.
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

  /// Adds an entry unless the queue is full.
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

  /// Adds a change that its caller waits for, unless too many wait.
  void offerChange(Change<?> change) {
    requireOpen();
    if (Thread.currentThread().equals(writer)) {
      throw new IllegalStateException("an action of a receipt must not wait for the store");
    }
    if (changes.incrementAndGet() > MAX_CHANGES) {
      changes.decrementAndGet();
      throw new StoreException(
          StoreException.Category.OVERLOADED, MAX_CHANGES + " changes wait already", null);
    }
    add(change);
    failIfEnded(change);
  }

  /// The writer may have ended just before that came. One side takes it out, the other does not.
  private void failIfEnded(Work work) {
    if (ended && queue.remove(work)) {
      done(work);
      work.failed(closedException());
    }
  }

  /// Adds what is never refused: it makes no work that was not there before.
  public void offer(Work work) {
    if (closed) {
      return;
    }
    noticeCongestion(bytes.addAndGet(work.bytes()));
    add(work);
  }

  private void add(Work work) {
    open.incrementAndGet();
    queue.add(work);
    Thread thread = sleeper;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  /// This thread takes what is offered.
  void takenBy(Thread thread) {
    writer = thread;
  }

  /// Takes the next, or null. Only the writer calls this.
  @Nullable Work poll() {
    return queue.poll();
  }

  /// Sleeps until something is there or the queue is closed. Only the writer calls this.
  void sleepWhileEmpty() {
    sleepWhileEmpty(Long.MAX_VALUE);
  }

  /// As above, and no longer than that.
  void sleepWhileEmpty(long nanos) {
    long start = System.nanoTime();
    sleeper = Thread.currentThread();
    for (long left = nanos;
        left > 0 && queue.isEmpty() && !closed;
        left = nanos - (System.nanoTime() - start)) {
      LockSupport.parkNanos(this, left);
    }
    sleeper = null;
  }

  /// Something taken before is finished, in one way or the other.
  void done(Work work) {
    open.decrementAndGet();
    if (work instanceof Change) {
      changes.decrementAndGet();
    } else {
      bytes.addAndGet(-work.bytes());
    }
  }

  /// Ends congestion if enough is done. Called by the writer after a group.
  void relieve() {
    if (congested && bytes.get() < limit / 2) {
      synchronized (this) {
        congested = false;
      }
      runRelief();
    } else if (!congested && !onRelief.isEmpty()) {
      runRelief();
    }
  }

  /// Whether senders should not be read from.
  boolean congested() {
    return congested;
  }

  /// Runs `action` when not congested.
  void onRelief(Runnable action) {
    onRelief.add(action);
    if (!congested()) {
      runRelief();
    }
  }

  private void noticeCongestion(long now) {
    if (now > limit / 4 * 3 && !congested) {
      synchronized (this) {
        congested = true;
        // The writer may have emptied the queue meanwhile and not have seen the mark.
        if (bytes.get() < limit / 2) {
          congested = false;
        }
      }
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

  /// Whether nothing waits and no transaction is under way.
  public boolean idle() {
    return open.get() == 0;
  }

  /// How much waits or is under way.
  long open() {
    return open.get();
  }

  /// What waits, oldest first, while it changes. For reading only.
  Iterable<Work> view() {
    return queue;
  }

  /// Bytes that wait.
  public long bytes() {
    return bytes.get();
  }

  /// Accepts nothing from here on; the writer drains what is there and ends.
  public void close() {
    closed = true;
    LockSupport.unpark(writer);
  }

  boolean isClosed() {
    return closed;
  }

  /// The writer takes nothing more after one last look at what is there.
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
