package im.zonda.module.muc.stanza;

import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.ErrorType;
import im.zonda.stanza.StanzaError;

/// Stanza errors that several handlers of rooms return.
public final class MucErrors {
  private MucErrors() {}

  /// The sender exceeds a rate limit.
  public static StanzaError rateExceeded() {
    return new StanzaError(
        ErrorCondition.POLICY_VIOLATION,
        ErrorType.WAIT,
        "too many stanzas in a short time; wait some seconds and try again",
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
