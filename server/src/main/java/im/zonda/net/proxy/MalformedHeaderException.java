package im.zonda.net.proxy;

/// A malformed header of the PROXY protocol. The message is for the log.
final class MalformedHeaderException extends Exception {
  private static final long serialVersionUID = 1;

  MalformedHeaderException(String message) {
    super(message);
  }
}
