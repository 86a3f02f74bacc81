package im.zonda.edge;

/// The window of one client's stream: the bytes that it may send before its session has taken them,
/// so that no client fills the shared connection. Not thread-safe.
public final class EdgeWindow {
  /// What a stream may bring before it is not read from, in bytes.
  static final long BYTES = 65_536;

  /// What a core accepts of a stream while the session is paused, in bytes. A stream may have
  /// parsed more when it is paused, and sends what is not handled again after a resumption.
  public static final long MOST = 1_048_576;

  /// The bytes that are reported together.
  public static final long STEP = BYTES / 4;

  private long outstanding;

  /// A value has been sent whose frame has `bytes` bytes.
  void sent(int bytes) {
    outstanding += bytes;
  }

  /// The core has taken `bytes` bytes.
  void update(long bytes) {
    outstanding = Math.max(0, outstanding - bytes);
  }

  /// Whether the client must not be read from.
  boolean isFull() {
    return outstanding > BYTES;
  }

  /// Whether the client may be read from again.
  boolean isOpen() {
    return outstanding <= BYTES / 2;
  }

  /// Another connection: nothing is on its way.
  void clear() {
    outstanding = 0;
  }
}
