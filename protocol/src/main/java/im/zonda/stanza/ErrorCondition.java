package im.zonda.stanza;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The defined conditions of stanza errors with their usual type (RFC 6120, section 8.3.3).
public enum ErrorCondition {
  BAD_REQUEST(ErrorType.MODIFY),
  CONFLICT(ErrorType.CANCEL),
  FEATURE_NOT_IMPLEMENTED(ErrorType.CANCEL),
  FORBIDDEN(ErrorType.AUTH),
  GONE(ErrorType.CANCEL),
  INTERNAL_SERVER_ERROR(ErrorType.CANCEL),
  ITEM_NOT_FOUND(ErrorType.CANCEL),
  JID_MALFORMED(ErrorType.MODIFY),
  NOT_ACCEPTABLE(ErrorType.MODIFY),
  NOT_ALLOWED(ErrorType.CANCEL),
  NOT_AUTHORIZED(ErrorType.AUTH),
  POLICY_VIOLATION(ErrorType.MODIFY),
  RECIPIENT_UNAVAILABLE(ErrorType.WAIT),
  REDIRECT(ErrorType.MODIFY),
  REGISTRATION_REQUIRED(ErrorType.AUTH),
  REMOTE_SERVER_NOT_FOUND(ErrorType.CANCEL),
  REMOTE_SERVER_TIMEOUT(ErrorType.WAIT),
  RESOURCE_CONSTRAINT(ErrorType.WAIT),
  SERVICE_UNAVAILABLE(ErrorType.CANCEL),
  SUBSCRIPTION_REQUIRED(ErrorType.AUTH),
  UNDEFINED_CONDITION(ErrorType.CANCEL),
  UNEXPECTED_REQUEST(ErrorType.WAIT);

  private final ErrorType type;
  private final String elementName;

  ErrorCondition(ErrorType type) {
    this.type = type;
    this.elementName = name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// The type that usually goes with the condition.
  public ErrorType type() {
    return type;
  }

  /// The name of the condition's element.
  public String elementName() {
    return elementName;
  }

  /// The condition with that element name, or null.
  public static @Nullable ErrorCondition ofElementName(String name) {
    for (ErrorCondition condition : values()) {
      if (condition.elementName.equals(name)) {
        return condition;
      }
    }
    return null;
  }
}
