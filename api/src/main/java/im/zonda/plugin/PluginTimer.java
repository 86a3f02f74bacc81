package im.zonda.plugin;

/// Work that is repeated.
@Stable(since = "1.0")
@FunctionalInterface
public interface PluginTimer {
  /// Prevents all further runs.
  void cancel();
}
