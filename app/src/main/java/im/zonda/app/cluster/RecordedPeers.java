package im.zonda.app.cluster;

import im.zonda.cluster.infinispan.EngineSettings;
import im.zonda.storage.sql.server.SqlClusterRows;
import im.zonda.store.StoreException;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The addresses of the nodes that are recorded in the database. While it does not answer, they are
/// those that it had last.
final class RecordedPeers implements Supplier<List<EngineSettings.Peer>> {
  private static final Logger LOG = LoggerFactory.getLogger(RecordedPeers.class);

  private final SqlClusterRows rows;
  private volatile List<EngineSettings.Peer> last = List.of();

  RecordedPeers(SqlClusterRows rows) {
    this.rows = rows;
  }

  @Override
  public List<EngineSettings.Peer> get() {
    try {
      last = rows.addresses().stream().map(EngineSettings.Peer::parse).toList();
    } catch (StoreException e) {
      LOG.atDebug().setCause(e).log("cluster_addresses_unavailable");
    }
    return last;
  }
}
