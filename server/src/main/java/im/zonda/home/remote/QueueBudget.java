package im.zonda.home.remote;

import im.zonda.config.limits.HeapShare;
import im.zonda.config.limits.S2sLimits;
import im.zonda.link.DomainPair;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The bound on the bytes of all stanzas that wait for other servers, and the bytes of each payer.
/// Safe for use by several threads.
///
/// When it is reached, the payer with the most bytes loses some of its stanzas from the pair where
/// it has most, and its further stanzas for that pair are not accepted. Stanzas of other payers are
/// accepted meanwhile, up to an eighth above the bound.
final class QueueBudget {
  /// A pair is to return stanzas of a payer to their senders while [#excess] is positive.
  @FunctionalInterface
  interface Shedding {
    void shed(DomainPair pair, Payer payer);
  }

  private final long heap;
  private final Shedding shedding;
  private final AtomicLong taken = new AtomicLong();
  private final Map<Payer, Held> payers = new ConcurrentHashMap<>();
  private volatile long total = Long.MAX_VALUE;

  /// @param heap the most bytes that the process may have; a share of it bounds all pairs
  QueueBudget(long heap, Shedding shedding) {
    this.heap = heap;
    this.shedding = shedding;
  }

  /// The bytes of a payer. Changed while its entry in the map is computed.
  private static final class Held {
    private final Map<DomainPair, Long> pairs = new HashMap<>(2);
    private final AtomicLong bytes = new AtomicLong();
  }

  private record Place(DomainPair pair, Payer payer) {}

  /// Takes `size` bytes; false if there is no room.
  boolean take(DomainPair pair, Payer payer, int size, S2sLimits limits) {
    total = HeapShare.REMOTE_QUEUES.bound(limits.allQueueBytes(), heap);
    change(pair, payer, size);
    if (taken.get() <= total) {
      return true;
    }
    Place largest = findLargest();
    if (largest != null && !largest.equals(new Place(pair, payer))) {
      shedding.shed(largest.pair(), largest.payer());
      if (taken.get() <= total + total / 8) {
        return true;
      }
    }
    change(pair, payer, -size);
    return false;
  }

  /// The pair where the payer with the most bytes has most of them.
  private @Nullable Place findLargest() {
    Payer most = null;
    long bytes = 0;
    for (Map.Entry<Payer, Held> each : payers.entrySet()) {
      long own = each.getValue().bytes.get();
      if (own > bytes) {
        most = each.getKey();
        bytes = own;
      }
    }
    if (most == null) {
      return null;
    }
    Payer payer = most;
    Place[] found = new Place[1];
    payers.computeIfPresent(
        payer,
        (key, held) -> {
          held.pairs.entrySet().stream()
              .max(Map.Entry.comparingByValue())
              .ifPresent(largest -> found[0] = new Place(largest.getKey(), payer));
          return held;
        });
    return found[0];
  }

  /// Takes bytes even if there is no room, for stanzas that were accepted before a restart, or
  /// gives bytes back.
  void change(DomainPair pair, Payer payer, long size) {
    if (size == 0) {
      return;
    }
    taken.addAndGet(size);
    payers.compute(
        payer,
        (key, known) -> {
          Held held = known == null ? new Held() : known;
          held.bytes.addAndGet(size);
          held.pairs.merge(pair, size, (a, b) -> a + b == 0 ? null : a + b);
          return held.pairs.isEmpty() ? null : held;
        });
  }

  /// How many bytes must be returned when the bound has been exceeded: down to a little below it,
  /// so that the next stanzas do not exceed it again. Not positive if it is not exceeded.
  long excess() {
    long now = taken.get();
    return now <= total ? 0 : now - total + total / 16;
  }

  /// The bytes that are taken.
  long taken() {
    return taken.get();
  }
}
