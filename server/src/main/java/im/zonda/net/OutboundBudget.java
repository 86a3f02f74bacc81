package im.zonda.net;

import im.zonda.config.limits.HeapShare;
import io.netty.util.internal.PlatformDependent;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The bound on the bytes that wait for all clients together. When it is used up, the streams that
/// most waits for are ended, wherever the last bytes came from.
///
/// Each loop counts what waits for its own connections; it is added up once in each turn of a loop
/// that has written something, and never for each stanza.
final class OutboundBudget {
  private static final Logger LOG = LoggerFactory.getLogger(OutboundBudget.class);

  /// What may wait in the queue of one connection even when all queues together hold too much.
  private static final int FREE_BYTES = 65_536;

  private final long limit;
  private final LongAdder queued = new LongAdder();
  private volatile List<Loop> loops = List.of();

  OutboundBudget(long limit) {
    this.limit = limit;
  }

  /// The budget of this process: what the limits allow, but at most its share of the heap and of
  /// the direct memory. What waits is in one of the two, encrypted or not yet.
  static OutboundBudget of(long allowed) {
    long memory = Math.min(Runtime.getRuntime().maxMemory(), PlatformDependent.maxDirectMemory());
    long limit = HeapShare.OUTBOUND.bound(allowed, memory);
    if (limit < allowed) {
      LOG.atInfo()
          .addKeyValue("allowed", allowed)
          .addKeyValue("used", limit)
          .log("outbound_bounded_by_memory");
    }
    return new OutboundBudget(limit);
  }

  /// Adds to the bytes that other threads have sent and no loop has taken; negative when a loop
  /// takes them.
  void queued(long bytes) {
    queued.add(bytes);
  }

  /// Whether a connection with `bytes` bytes in its queue must end now: loops check the bound once
  /// in a turn, and other threads may be faster.
  boolean isTooMuch(long bytes) {
    return bytes > FREE_BYTES && queued.sum() > limit;
  }

  /// Counts these loops.
  void over(List<Loop> all) {
    loops = List.copyOf(all);
  }

  /// What may wait for streams that have ended as well, until it has been read or its time is over.
  private long limitWithEnded() {
    return limit + limit / 4;
  }

  private long waiting() {
    long sum = 0;
    for (int i = 0; i < loops.size(); i++) {
      sum += loops.get(i).counters().waiting.value();
    }
    return sum;
  }

  private long waitingEnded() {
    long sum = 0;
    for (int i = 0; i < loops.size(); i++) {
      sum += loops.get(i).counters().waitingEnded.value();
    }
    return sum;
  }

  /// Looks whether the budget is kept, and sees to it otherwise. Called on the loop `here`, where
  /// no locks are held.
  void check(Loop here) {
    long waiting = waiting();
    if (waiting > limit || waiting + waitingEnded() > limitWithEnded()) {
      here.relieve();
    }
  }

  /// Ends connections of the loop `here`, on its thread; the fullest of all pay, so that it may be
  /// another loop's turn.
  ///
  /// @param fullestFirst its connections
  void relieve(Loop here, List<Connection> fullestFirst) {
    // A little more than must be, or the next stanza would be too much again.
    long target = limit - limit / 8;
    boolean needed = waiting() > limit;
    for (int i = 0; needed && i < fullestFirst.size() && waiting() > target; i++) {
      Connection fullest = fullestFirst.get(i);
      Loop fuller = fuller(here, fullest.countedBytes());
      if (fuller != null && waiting() <= limitWithEnded()) {
        fuller.relieveSoon();
        break;
      }
      fullest.overflow();
    }
    for (Connection connection : fullestFirst) {
      if (waiting() + waitingEnded() <= limitWithEnded()) {
        break;
      }
      if (connection.hasEnded()) {
        connection.cut();
      }
    }
  }

  private @Nullable Loop fuller(Loop here, long bytes) {
    for (Loop loop : loops) {
      if (loop != here && loop.most() > bytes) {
        return loop;
      }
    }
    return null;
  }
}
