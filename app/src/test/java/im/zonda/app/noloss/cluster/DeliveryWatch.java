package im.zonda.app.noloss.cluster;

import im.zonda.testkit.history.MessageLedger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Measures the longest time in which no client received a message.
final class DeliveryWatch implements AutoCloseable {
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final MessageLedger ledger;
  private volatile boolean closed;

  // Guarded by this object's monitor.
  private long longest;
  private long since = System.nanoTime();

  /// Begins to watch.
  DeliveryWatch(MessageLedger ledger) {
    this.ledger = ledger;
    Thread.ofVirtual().name("delivery-watch").start(this::run);
  }

  private void run() {
    long before = -1;
    while (!closed) {
      long now = ledger.arrivals();
      look(now != before);
      before = now;
      LockSupport.parkNanos(STEP_NANOS);
    }
  }

  private synchronized void look(boolean arrived) {
    long now = System.nanoTime();
    longest = Math.max(longest, now - since);
    since = arrived ? now : since;
  }

  /// The longest time since the last call, in milliseconds.
  synchronized long takeLongest() {
    look(false);
    long millis = TimeUnit.NANOSECONDS.toMillis(longest);
    longest = 0;
    return millis;
  }

  @Override
  public void close() {
    closed = true;
  }
}
