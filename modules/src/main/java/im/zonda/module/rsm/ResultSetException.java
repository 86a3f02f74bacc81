package im.zonda.module.rsm;

import im.zonda.module.IqReply;
import im.zonda.stanza.ErrorCondition;

/// Thrown for a request for a page that is invalid or not supported.
public final class ResultSetException extends Exception {
  private static final long serialVersionUID = 1;

  private final ErrorCondition condition;

  ResultSetException(ErrorCondition condition, String message) {
    super(message);
    this.condition = condition;
  }

  /// The error for the requester.
  public IqReply reply() {
    return IqReply.refuse(condition, String.valueOf(getMessage()));
  }
}
