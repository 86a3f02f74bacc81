package im.zonda.storage.memory;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.ClusterRows;
import im.zonda.store.StoreException;

/// A row in memory, shared by several servers of one process.
public final class MemoryClusterRows implements ClusterRows {
  // Guarded by this object's monitor.
  private ClusterRow row = ClusterRow.EMPTY;
  private boolean available = true;

  /// Whether calls succeed from now on.
  public synchronized void setAvailable(boolean now) {
    available = now;
  }

  @Override
  public synchronized ClusterRow read() {
    check();
    return row;
  }

  @Override
  public synchronized boolean compareAndSet(long expected, ClusterRow next) {
    check();
    if (row.epoch() != expected) {
      return false;
    }
    row = next.withRenewals(row.renewals());
    return true;
  }

  @Override
  public synchronized void renew(long epoch) {
    check();
    if (row.epoch() == epoch && epoch != ClusterRow.EMPTY.epoch()) {
      row = row.withRenewals(row.renewals() + 1);
    }
  }

  private void check() {
    if (!available) {
      throw new StoreException(
          StoreException.Category.UNAVAILABLE, "the database does not answer", null);
    }
  }
}
