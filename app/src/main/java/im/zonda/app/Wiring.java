package im.zonda.app;

import im.zonda.config.ServerConfig;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.Stores;
import java.time.InstantSource;

/// Puts the server together.
final class Wiring {
  private Wiring() {}

  /// Opens what lasts.
  static Stores openStores(ServerConfig config) {
    return SqlStores.open(config.data(), config.storage(), config.limits(), InstantSource.system());
  }
}
