package im.zonda.testkit.relay;

/// Sees the bytes that a [TcpRelay] will forward. It may break or freeze the connection; then the
/// bytes are discarded, or wait.
public interface Tap {
  /// Bytes that have been read and will be forwarded next. Called by two threads for each
  /// connection, one for each direction.
  ///
  /// @param up whether they go to the server
  /// @param bytes an array that begins with them, which must not be changed
  /// @param count how many they are
  void forwarding(RelayedConnection connection, boolean up, byte[] bytes, int count);
}
