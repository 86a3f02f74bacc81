package im.zonda.plugins.webhooks.queue;

/// Counts events that are not delivered. Called with locks held: must not block.
@FunctionalInterface
public interface Losses {
  /// Counts events.
  ///
  /// @param events how many
  /// @param reason a sentence without numbers
  void lost(long events, String reason);
}
