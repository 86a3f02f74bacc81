package im.zonda.net;

import im.zonda.link.ToStream;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/// Stanzas that other threads have sent on a connection and its event loop has not yet written, and
/// tasks of the stream that belong between them.
///
/// Many threads push, the loop takes all at once. Empty, it is one reference. It is bounded in
/// bytes; a small stanza counts as [#LEAST_BYTES], which is about what it costs. The largest one
/// does not count: a stanza of any size passes while little else waits.
abstract class OutboundQueue {
  /// The least that a stanza counts.
  static final int LEAST_BYTES = 256;

  private static final AtomicReferenceFieldUpdater<OutboundQueue, @Nullable Entry> NEWEST =
      AtomicReferenceFieldUpdater.newUpdater(OutboundQueue.class, Entry.class, "newest");

  private static final AtomicIntegerFieldUpdater<OutboundQueue> SCHEDULED =
      AtomicIntegerFieldUpdater.newUpdater(OutboundQueue.class, "scheduled");

  /// One waiting stanza or task. Entries are chained from the newest to the oldest until they are
  /// taken.
  static final class Entry {
    final ToStream.@Nullable Deliver deliver;
    final @Nullable Runnable task;
    @Nullable Entry next;

    /// Of this and all older ones.
    private long bytes;

    /// The largest of these.
    private int largest;

    private Entry(ToStream.@Nullable Deliver deliver, @Nullable Runnable task) {
      this.deliver = deliver;
      this.task = task;
    }
  }

  private volatile @Nullable Entry newest;

  /// What was taken and not yet written, oldest first. Confined to the loop.
  private @Nullable Entry taken;

  /// A task runs that was taken: what the stream writes in it goes out at once. Confined to the
  /// loop.
  private boolean inTask;

  private volatile int scheduled;

  /// A stanza has been refused. None that is sent after it may leave: the peer counts what it gets
  /// (XEP-0198), and would take a later one for it.
  private volatile boolean refused;

  /// Adds a stanza; false if more than `limit` bytes would wait beside the largest stanza. After
  /// that no more stanzas are added.
  final boolean push(ToStream.Deliver deliver, int limit) {
    int size = Math.max(deliver.stanza().writtenSize(), LEAST_BYTES);
    if (refused || !push(new Entry(deliver, null), size, limit)) {
      refused = true;
      return false;
    }
    return true;
  }

  /// Adds a task. There is always room: the number of tasks does not depend on what others send.
  /// True if the caller must see to it that the queue is taken, as with [#schedule].
  final boolean push(Runnable task) {
    push(new Entry(null, task), LEAST_BYTES, Integer.MAX_VALUE);
    return schedule();
  }

  private boolean push(Entry entry, int size, int limit) {
    while (true) {
      Entry before = newest;
      entry.next = before;
      entry.bytes = before == null ? size : before.bytes + size;
      entry.largest = before == null ? size : Math.max(before.largest, size);
      if (entry.bytes - entry.largest > limit) {
        return false;
      }
      if (NEWEST.compareAndSet(this, before, entry)) {
        queued(size);
        return true;
      }
    }
  }

  /// Counts bytes that wait from now on, or no longer if negative. Any thread may call.
  abstract void queued(long bytes);

  /// The bytes that wait.
  final long queuedBytes() {
    Entry last = newest;
    return last == null ? 0 : last.bytes;
  }

  /// Whether nothing waits.
  final boolean nothingQueued() {
    return newest == null;
  }

  /// Whether the caller must have the queue drained: true once until [#unschedule].
  final boolean schedule() {
    return scheduled == 0 && SCHEDULED.compareAndSet(this, 0, 1);
  }

  /// Called before the queue is taken; a later push schedules it again.
  final void unschedule() {
    scheduled = 0;
  }

  /// Takes all; returns the oldest, which leads to the newer ones. Null if nothing waits.
  final @Nullable Entry takeAll() {
    Entry from = NEWEST.getAndSet(this, null);
    if (from != null) {
      queued(-from.bytes);
    }
    Entry oldest = null;
    while (from != null) {
      Entry older = from.next;
      from.next = oldest;
      oldest = from;
      from = older;
    }
    return oldest;
  }

  // ---- on the loop

  /// Whether a stanza that is sent on the loop may be written at once.
  final boolean isDrained() {
    return nothingQueued() && taken == null && !inTask && !refused;
  }

  /// Writes the stanzas and runs the tasks between.
  final void drain() {
    while (true) {
      drainStanzas();
      Entry next = taken;
      Runnable task = next == null ? null : next.task;
      if (next == null || task == null) {
        return;
      }
      taken = next.next;
      inTask = true;
      try {
        task.run();
      } finally {
        inTask = false;
      }
    }
  }

  /// Writes the stanzas up to the next task, which must not run within the stream's own work. The
  /// loop comes by for that.
  final void drainStanzas() {
    if (inTask) {
      return;
    }
    while (true) {
      Entry next = taken == null ? takeAll() : taken;
      taken = next;
      if (next == null || next.deliver == null) {
        return;
      }
      taken = next.next;
      encode(next.deliver);
    }
  }

  /// Drops all.
  final void dropAll() {
    takeAll();
    taken = null;
  }

  /// Writes a stanza.
  abstract void encode(ToStream.Deliver deliver);
}
