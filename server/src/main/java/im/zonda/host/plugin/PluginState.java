package im.zonda.host.plugin;

/// State of a plugin at a node.
public enum PluginState {
  /// Its handlers are called.
  RUNNING,
  /// Its handlers are skipped for a minute, because of its faults.
  SKIPPED,
  /// It did not start.
  FAILED,
  /// It was switched off, by an administrator or because of its faults.
  DISABLED
}
