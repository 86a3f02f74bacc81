package im.zonda.home.remote;

import im.zonda.config.limits.HeapShare;
import im.zonda.config.limits.S2sLimits;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/// Bounds on the bytes of stanzas that wait for other servers: one for each pair of domains, and
/// one for all pairs. When the latter is reached, pairs with less than an equal share may still add
/// stanzas: a domain that cannot be reached takes nothing from the others.
final class QueueBudget {
  private final long heap;
  private final IntSupplier pairs;
  private final AtomicLong taken = new AtomicLong();

  /// @param heap the most bytes that the process may have; a share of it bounds all pairs
  /// @param pairs the number of pairs
  QueueBudget(long heap, IntSupplier pairs) {
    this.heap = heap;
    this.pairs = pairs;
  }

  /// Takes so many bytes; false if there is no room. For a pair that has nothing there is always
  /// room in its own bound, however large the stanza.
  ///
  /// @param own what the pair has taken already
  boolean take(int size, long own, S2sLimits limits) {
    if (own > 0 && own + size > limits.queueBytes()) {
      return false;
    }
    long total = HeapShare.REMOTE_QUEUES.bound(limits.allQueueBytes(), heap);
    long most = total + total / 8;
    long now = taken.addAndGet(size);
    if (now <= total || (now <= most && own + size <= total / Math.max(1, pairs.getAsInt()))) {
      return true;
    }
    taken.addAndGet(-size);
    return false;
  }

  /// Takes so many bytes although there may be no room, for what was accepted before a restart.
  void force(int size) {
    taken.addAndGet(size);
  }

  /// Gives bytes back.
  void give(long size) {
    taken.addAndGet(-size);
  }

  /// The bytes that are taken.
  long taken() {
    return taken.get();
  }
}
