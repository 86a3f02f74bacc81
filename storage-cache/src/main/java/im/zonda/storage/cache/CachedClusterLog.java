package im.zonda.storage.cache;

import im.zonda.jid.Jid;
import im.zonda.store.AppendedOrigins;
import im.zonda.store.ClusterLog;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// The message log of a cluster, which drops what is in memory of an owner whose home may have been
/// on another node.
///
/// @param forget drops that; does nothing without a cluster
record CachedClusterLog(ClusterLog log, Consumer<Jid> forget) implements ClusterLog {
  @Override
  public long takeOver(Jid owner, long newest) {
    forget.accept(owner);
    return log.takeOver(owner, newest);
  }

  @Override
  public boolean keepsOrigins() {
    return log.keepsOrigins();
  }

  @Override
  public Map<Long, Known> findOrigins(Set<Long> origins, Duration age) {
    return log.findOrigins(origins, age);
  }

  @Override
  public AppendedOrigins appendedOrigins(Duration age) {
    return log.appendedOrigins(age);
  }
}
