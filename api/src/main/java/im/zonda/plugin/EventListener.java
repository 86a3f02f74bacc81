package im.zonda.plugin;

/// Observes what happens.
@Stable(since = "1.0")
@FunctionalInterface
public interface EventListener {
  /// Something has happened. May block: later events wait meanwhile, for a bounded queue.
  ///
  /// @throws Exception the failure is reported, and the next event follows
  void on(PluginEvent event) throws Exception;
}
