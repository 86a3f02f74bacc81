package im.zonda.stanza;

import java.util.Locale;

/// Error type: what the sender of a failed stanza may do (RFC 6120, section 8.3.2).
public enum ErrorType {
  AUTH,
  CANCEL,
  CONTINUE,
  MODIFY,
  WAIT;

  /// The value of the attribute `type`.
  public String value() {
    return name().toLowerCase(Locale.ROOT);
  }
}
