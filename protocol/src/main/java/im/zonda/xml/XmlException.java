package im.zonda.xml;

/// Input that ends a stream: not XML, not the XML that XMPP allows, or beyond a limit.
public final class XmlException extends Exception {
  private static final long serialVersionUID = 1;

  /// Which stream error the peer is told (RFC 6120, section 4.9.3).
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

  /// Input that breaks `condition`; `message` is for the log, never for the peer.
  public XmlException(Condition condition, String message) {
    super(message, null, false, false);
    this.condition = condition;
  }

  /// The stream error to send.
  public Condition condition() {
    return condition;
  }
}
