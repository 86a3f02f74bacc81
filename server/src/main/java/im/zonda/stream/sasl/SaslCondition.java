package im.zonda.stream.sasl;

import java.util.Locale;

/// The defined conditions of SASL failures (RFC 6120, section 6.5) that this server uses.
public enum SaslCondition {
  ABORTED,
  ACCOUNT_DISABLED,
  CREDENTIALS_EXPIRED,
  ENCRYPTION_REQUIRED,
  INCORRECT_ENCODING,
  INVALID_AUTHZID,
  INVALID_MECHANISM,
  MALFORMED_REQUEST,
  NOT_AUTHORIZED,
  TEMPORARY_AUTH_FAILURE;

  /// The name of the condition's element.
  public String elementName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
