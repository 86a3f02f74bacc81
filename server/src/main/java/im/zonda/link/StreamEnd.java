package im.zonda.link;

/// The end of a link at the client's stream, as the session sees it.
@FunctionalInterface
public interface StreamEnd {
  /// Handles a value. Any thread may call; the values of one caller are handled in the order of the
  /// calls. Returns at once and never calls back into the session. Does nothing after the stream
  /// has ended.
  void receive(ToStream value);

  /// Whether the stream wants [ToStream.State], because it may outlive this process.
  default boolean keepsState() {
    return false;
  }
}
