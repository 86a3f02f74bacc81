package im.zonda.link;

/// Bytes that are not a value of a link.
public final class LinkFormatException extends Exception {
  private static final long serialVersionUID = 1;

  public LinkFormatException(String message) {
    super(message);
  }

  public LinkFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
