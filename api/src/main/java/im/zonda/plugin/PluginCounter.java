package im.zonda.plugin;

/// A number that only grows. Any thread may count.
@Stable(since = "1.0")
@FunctionalInterface
public interface PluginCounter {
  /// Counts several.
  ///
  /// @param more not negative
  void add(long more);

  /// Counts one.
  default void increment() {
    add(1);
  }
}
