package im.zonda.net;

import im.zonda.stanza.Stanza;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/// Stanzas that other threads have sent on a connection and its event loop has not yet written.
///
/// Many threads push, the loop takes all at once. Empty, it is one reference. It is bounded in
/// bytes; a small stanza counts as [#LEAST_BYTES], which is about what it costs.
abstract class OutboundQueue {
  /// The least that a stanza counts.
  static final int LEAST_BYTES = 256;

  private static final AtomicReferenceFieldUpdater<OutboundQueue, @Nullable Entry> NEWEST =
      AtomicReferenceFieldUpdater.newUpdater(OutboundQueue.class, Entry.class, "newest");

  private static final AtomicIntegerFieldUpdater<OutboundQueue> SCHEDULED =
      AtomicIntegerFieldUpdater.newUpdater(OutboundQueue.class, "scheduled");

  /// One waiting stanza. Entries are chained from the newest to the oldest until they are taken.
  static final class Entry {
    final Stanza stanza;
    final @Nullable Runnable left;
    @Nullable Entry next;

    /// Of this and all older ones.
    private long bytes;

    private Entry(Stanza stanza, @Nullable Runnable left) {
      this.stanza = stanza;
      this.left = left;
    }
  }

  private volatile @Nullable Entry newest;
  private volatile int scheduled;

  /// Adds a stanza; false if more than `limit` bytes would wait, unless it is alone.
  final boolean push(Stanza stanza, @Nullable Runnable left, int limit) {
    Entry entry = new Entry(stanza, left);
    int size = Math.max(stanza.writtenSize(), LEAST_BYTES);
    while (true) {
      Entry before = newest;
      entry.next = before;
      entry.bytes = before == null ? size : before.bytes + size;
      if (entry.bytes > limit && before != null) {
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

  /// The queue is about to be taken; a later push schedules it again.
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
}
