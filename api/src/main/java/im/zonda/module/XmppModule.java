package im.zonda.module;

/// A unit of server behaviour, usually one XEP. One instance per virtual host.
public interface XmppModule {
  /// The word that names it: its package and its name in the configuration.
  String name();

  /// Declares all that the module handles. Called once, before the host accepts connections.
  void install(ModuleContext context);
}
