package im.zonda.module;

import im.zonda.config.ServerConfig;

/// A unit of server behaviour, usually one XEP. One instance per virtual host.
public interface XmppModule {
  /// The name: the word that names its package, used in the configuration.
  String name();

  /// The ports that the module uses.
  default Ports ports() {
    return Ports.NONE;
  }

  /// Declares everything that the module handles. Called before the host accepts connections, or
  /// when the module is switched on while it does; after [#stop] it may be called again.
  void install(ModuleContext context);

  /// The settings of the host have changed: [ModuleContext#config] returns the new ones. Called
  /// while handlers run.
  ///
  /// @return false if the module must be stopped and installed again to take them over, because
  ///   what it declares depends on them
  default boolean reload(ServerConfig before, ServerConfig after) {
    return true;
  }

  /// Releases what the module holds. Called once for each [#install], after everything it declared
  /// has been withdrawn; calls of its handlers may still be running. May block, for seconds.
  default void stop() {}
}
