package im.zonda.cluster.frame;

/// Bytes that are not a frame of a version that this node understands.
public final class FrameFormatException extends Exception {
  private static final long serialVersionUID = 1;

  FrameFormatException(String message) {
    super(message);
  }

  FrameFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
