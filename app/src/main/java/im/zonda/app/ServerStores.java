package im.zonda.app;

import im.zonda.app.cluster.ClusterNode;
import im.zonda.config.ServerConfig;
import im.zonda.storage.cache.CachedStores;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.server.NodeProcess;
import im.zonda.storage.sql.sqlite.NativeLibrary;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Opens the stores of a server.
final class ServerStores {
  private ServerStores() {}

  /// Opens the stores. This process must have locked the data folder.
  static SqlStores open(ServerConfig config) {
    if (config.storage().url().startsWith("sqlite:")) {
      NativeLibrary.keepIn(config.data());
    }
    return SqlStores.open(config.data(), config.storage(), config.limits(), InstantSource.system());
  }

  static CachedStores caches(
      SqlStores database, ServerConfig config, @Nullable ClusterNode cluster) {
    InstantSource clock = InstantSource.system();
    return cluster == null
        ? CachedStores.over(database, config.limits(), clock)
        : CachedStores.overNode(database, config.limits(), clock, cluster.nodes().view());
  }

  /// Opens the stores as a node of a cluster, all of whose nodes have one secret.
  static SqlStores open(ServerConfig config, @Nullable ClusterNode cluster, RandomGenerator random)
      throws IOException {
    if (cluster == null) {
      return open(config);
    }
    byte[] own = ServerSecret.find(config.data());
    byte[] offered = own == null ? ServerSecret.create(random) : own;
    SqlStores stores =
        SqlStores.openNode(
            config.data(),
            config.storage(),
            config.limits(),
            InstantSource.system(),
            new NodeProcess(cluster.name(), HexFormat.of().formatHex(offered), own != null));
    try {
      if (own == null) {
        ServerSecret.keep(config.data(), HexFormat.of().parseHex(stores.clusterSecret()));
      }
      return stores;
    } catch (IOException | RuntimeException e) {
      stores.close();
      throw e;
    }
  }
}
