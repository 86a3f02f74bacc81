package im.zonda.plugin;

import im.zonda.stanza.ErrorCondition;

/// The error with which a request is answered.
@Stable(since = "1.0")
public final class RequestException extends Exception {
  private static final long serialVersionUID = 1;

  private final ErrorCondition condition;

  /// @param text for people, in English
  public RequestException(ErrorCondition condition, String text) {
    super(text, null, false, false);
    this.condition = condition;
  }

  /// The condition of the error.
  public ErrorCondition condition() {
    return condition;
  }
}
