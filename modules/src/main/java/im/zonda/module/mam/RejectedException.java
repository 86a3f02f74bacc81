package im.zonda.module.mam;

import im.zonda.module.IqReply;
import im.zonda.stanza.ErrorCondition;

/// Thrown for a request that is answered with an error.
final class RejectedException extends Exception {
  private static final long serialVersionUID = 1;

  private final ErrorCondition condition;

  RejectedException(ErrorCondition condition, String message) {
    super(message);
    this.condition = condition;
  }

  IqReply reply() {
    return IqReply.refuse(condition, String.valueOf(getMessage()));
  }
}
