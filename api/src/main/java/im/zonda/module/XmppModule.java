package im.zonda.module;

/// A unit of server behaviour, usually one XEP. One instance per virtual host.
public interface XmppModule {
  /// The name: the word that names its package, used in the configuration.
  String name();

  /// The ports that the module uses.
  default Ports ports() {
    return Ports.NONE;
  }

  /// Declares everything that the module handles. Called once, before the host accepts connections.
  void install(ModuleContext context);

  /// Releases what the module holds. Called once, after everything it declared has been withdrawn;
  /// calls of its handlers may still be running. May block, for seconds.
  default void stop() {}
}
