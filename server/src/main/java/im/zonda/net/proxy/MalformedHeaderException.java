package im.zonda.net.proxy;

/// What should be a header of the PROXY protocol is none. The message is for the log.
final class MalformedHeaderException extends Exception {
  private static final long serialVersionUID = 1;

  MalformedHeaderException(String message) {
    super(message);
  }
}
