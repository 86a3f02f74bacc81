package im.zonda.cluster.handover;

import im.zonda.store.StoreException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Waits until a log is durable, also while its database is away. All changes of a home must be in
/// the database before it opens on another node, which cannot read the database either meanwhile.
final class RetryingFlush {
  private static final Logger LOG = LoggerFactory.getLogger(RetryingFlush.class);

  private static final long PAUSE_NANOS = 200_000_000;

  private RetryingFlush() {}

  /// Blocks until a flush has succeeded.
  ///
  /// @param flush throws a [StoreException] if the database is away
  /// @param isOver whether the flush is no longer needed
  /// @throws StoreException if it will not succeed: the store is closed, the flush is no longer
  ///   needed, or the thread is interrupted
  static void flush(Runnable flush, BooleanSupplier isOver) {
    boolean told = false;
    while (true) {
      try {
        flush.run();
        return;
      } catch (StoreException e) {
        if (!e.retryable() || isOver.getAsBoolean() || Thread.currentThread().isInterrupted()) {
          throw e;
        }
        if (!told) {
          LOG.atWarn().setCause(e).log("homes_wait_for_database");
          told = true;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }
}
