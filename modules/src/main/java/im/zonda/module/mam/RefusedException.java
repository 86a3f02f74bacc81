package im.zonda.module.mam;

import im.zonda.module.IqReply;
import im.zonda.stanza.ErrorCondition;

/// A request is answered with an error.
final class RefusedException extends Exception {
  private static final long serialVersionUID = 1;

  private final ErrorCondition condition;

  RefusedException(ErrorCondition condition, String message) {
    super(message);
    this.condition = condition;
  }

  IqReply reply() {
    return IqReply.refuse(condition, String.valueOf(getMessage()));
  }
}
