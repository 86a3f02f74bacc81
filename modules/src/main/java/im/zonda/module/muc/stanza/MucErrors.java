package im.zonda.module.muc.stanza;

import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.ErrorType;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import im.zonda.xml.QName;

/// Stanza errors that several handlers of rooms return.
public final class MucErrors {
  private static final QName ERROR = new QName(Namespaces.CLIENT, "error");

  private MucErrors() {}

  /// Returns the error that a stanza has brought, without the entity that generated it, which may
  /// be a real JID, and without its text.
  public static StanzaError copyOf(Stanza returned) {
    Element error = returned.payload(ERROR);
    ErrorCondition condition = ErrorCondition.UNDEFINED_CONDITION;
    ErrorType type = null;
    if (error != null) {
      for (Element child : error.children()) {
        boolean defined = child.name().namespace().equals(Namespaces.STANZA_ERRORS);
        ErrorCondition known = defined ? ErrorCondition.ofElementName(child.name().name()) : null;
        condition = known == null ? condition : known;
      }
      for (ErrorType each : ErrorType.values()) {
        type = each.value().equals(error.attribute("type")) ? each : type;
      }
    }
    return new StanzaError(condition, type == null ? condition.type() : type, null, null);
  }

  /// The sender exceeds a rate limit.
  public static StanzaError rateExceeded() {
    return new StanzaError(
        ErrorCondition.POLICY_VIOLATION,
        ErrorType.WAIT,
        "too many stanzas in a short time; wait some seconds and try again",
        null);
  }

  /// The sender has not waited long enough since the last message (XEP-0500).
  ///
  /// @param seconds between two messages
  public static StanzaError slowModeExceeded(int seconds) {
    return new StanzaError(
        ErrorCondition.POLICY_VIOLATION,
        ErrorType.WAIT,
        "You have exceeded the limit imposed by the slow mode in this room. You have to wait "
            + seconds
            + " seconds between messages. Please try again later.",
        null);
  }

  /// The sender's account uses all the memory it may use in rooms (RFC 6120, section 8.3.3.18).
  public static StanzaError accountMemoryExceeded() {
    return StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT)
        .withText("your account uses too much memory in rooms; leave some rooms and try again");
  }

  /// The account that created the room uses all the memory it may use in rooms.
  public static StanzaError creatorMemoryExceeded() {
    return StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT)
        .withText("the account that created this room uses too much memory in rooms");
  }
}
