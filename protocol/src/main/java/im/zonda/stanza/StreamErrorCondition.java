package im.zonda.stanza;

import java.util.Locale;

/// The defined conditions of stream errors (RFC 6120, section 4.9.3).
public enum StreamErrorCondition {
  BAD_FORMAT,
  BAD_NAMESPACE_PREFIX,
  CONFLICT,
  CONNECTION_TIMEOUT,
  HOST_GONE,
  HOST_UNKNOWN,
  IMPROPER_ADDRESSING,
  INTERNAL_SERVER_ERROR,
  INVALID_FROM,
  INVALID_NAMESPACE,
  INVALID_XML,
  NOT_AUTHORIZED,
  NOT_WELL_FORMED,
  POLICY_VIOLATION,
  REMOTE_CONNECTION_FAILED,
  RESET,
  RESOURCE_CONSTRAINT,
  RESTRICTED_XML,
  SEE_OTHER_HOST,
  SYSTEM_SHUTDOWN,
  UNDEFINED_CONDITION,
  UNSUPPORTED_ENCODING,
  UNSUPPORTED_FEATURE,
  UNSUPPORTED_STANZA_TYPE,
  UNSUPPORTED_VERSION;

  /// The name of the condition's element.
  public String elementName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
