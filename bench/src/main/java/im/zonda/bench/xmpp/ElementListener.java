package im.zonda.bench.xmpp;

/// Listener for the stanzas of a client, on the client's loop.
@FunctionalInterface
public interface ElementListener {
  /// A whole element of the first level.
  ///
  /// @param bytes holds more than the element, and is used again after the call
  /// @param from where it begins
  /// @param to where it ends, exclusive
  /// @param nanos when it arrived, by [System#nanoTime]
  void element(byte[] bytes, int from, int to, long nanos);

  /// Ignores all.
  ElementListener NONE = (_, _, _, _) -> {};
}
