package im.zonda.xml;

/// Destination of bytes: a growing array, or the outbound buffer of a connection.
public interface ByteSink {
  /// Appends one byte.
  void put(int value);

  /// Appends `length` bytes of `source` from `offset` on. The bytes are copied before the call
  /// returns.
  void put(byte[] source, int offset, int length);

  /// Appends all of `source`.
  default void put(byte[] source) {
    put(source, 0, source.length);
  }
}
