package im.zonda.plugin;

/// A plugin. The server makes one instance with the constructor that has no parameters, whatever
/// number of hosts the server has.
@Stable(since = "1.0")
public interface Plugin {
  /// The version of the interface. A plugin that names another major version in its manifest, or a
  /// later minor one, is not started.
  String API = "1.0";

  /// Declares what the plugin handles. May block for some seconds.
  ///
  /// @param context the server, as the plugin sees it, until the plugin is stopped
  /// @throws Exception if the plugin cannot start; the message says why, for the operator
  void start(PluginContext context) throws Exception;

  /// Releases what the plugin holds: connections, files, threads of its own. Called once for each
  /// [#start], also for one that has thrown, after everything that was declared has been withdrawn.
  /// May block for some seconds.
  ///
  /// @throws Exception is logged
  default void stop() throws Exception {}

  /// The settings have changed: [PluginContext#settings] returns the new ones. Called while
  /// handlers run.
  ///
  /// @return false if the plugin must be stopped and started again to take them over
  /// @throws Exception if the settings cannot be taken over; the plugin is started again
  default boolean reload() throws Exception {
    return false;
  }
}
