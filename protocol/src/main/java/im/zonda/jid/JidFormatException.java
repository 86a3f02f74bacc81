package im.zonda.jid;

/// An address that is not valid (RFC 7622); the peer sees `jid-malformed`.
public final class JidFormatException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /// Says what is wrong with the address.
  public JidFormatException(String message) {
    super(message);
  }

  // Peers can cause it at will: it must be cheap, and the place tells nothing.
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
