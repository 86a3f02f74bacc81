package im.zonda.jid;

/// Thrown for an invalid address (RFC 7622); the peer gets `jid-malformed`.
public final class JidFormatException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /// Creates an exception; `message` says what is wrong with the address.
  public JidFormatException(String message) {
    super(message);
  }

  // Without a stack trace: peers can cause it at will, so it must be cheap.
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
