package im.zonda.xml;

/// Thrown for input that ends a stream: not well-formed, not allowed in XMPP, or over a limit.
public final class XmlException extends Exception {
  private static final long serialVersionUID = 1;

  /// The stream error that the peer gets (RFC 6120, section 4.9.3).
  public enum Condition {
    NOT_WELL_FORMED,
    RESTRICTED_XML,
    BAD_FORMAT,
    BAD_NAMESPACE_PREFIX,
    INVALID_NAMESPACE,
    INVALID_XML,
    POLICY_VIOLATION,
    UNSUPPORTED_ENCODING
  }

  private final Condition condition;

  /// Creates an exception. `message` is for the log and is never sent to the peer.
  public XmlException(Condition condition, String message) {
    super(message, null, false, false);
    this.condition = condition;
  }

  /// The stream error to send.
  public Condition condition() {
    return condition;
  }
}
