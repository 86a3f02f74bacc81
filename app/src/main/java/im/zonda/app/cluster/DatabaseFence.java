package im.zonda.app.cluster;

import im.zonda.cluster.Member;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.port.PlacementFence;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.server.SqlClusterRows;
import im.zonda.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The fence in the database: before homes open, this process is recorded as a member, and the
/// sessions of processes that are none have ended. Asked once an epoch; a planned move needs no
/// database.
final class DatabaseFence implements PlacementFence {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseFence.class);

  private final SqlStores stores;
  private final SqlClusterRows rows;
  private @Nullable Member admitted;
  private long raised;

  DatabaseFence(SqlStores stores, SqlClusterRows rows) {
    this.stores = stores;
    this.rows = rows;
  }

  @Override
  public synchronized boolean raise(Member self, Placement placement) {
    long epoch = placement.stamp().epoch();
    try {
      if (!self.equals(admitted)) {
        if (!stores.join(self.incarnation())) {
          return false;
        }
        admitted = self;
        raised = 0;
      }
      if (raised != epoch && rows.fence(epoch)) {
        raised = epoch;
      }
      return raised == epoch;
    } catch (StoreException e) {
      LOG.atWarn().setCause(e).log("fence_not_raised"); // tried again
      return false;
    }
  }

  /// Called before this process leaves the cluster, when it has no homes.
  synchronized void leave() {
    try {
      stores.leave();
    } catch (StoreException e) {
      LOG.atWarn().setCause(e).log("fence_not_left"); // the others end its session
    }
  }
}
