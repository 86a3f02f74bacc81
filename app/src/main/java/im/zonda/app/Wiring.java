package im.zonda.app;

import im.zonda.config.ServerConfig;
import im.zonda.store.Stores;

/// Puts the server together.
final class Wiring {
  private Wiring() {}

  /// Opens what lasts.
  static Stores openStores(ServerConfig config) {
    throw new IllegalStateException("no store yet: " + config.data());
  }
}
