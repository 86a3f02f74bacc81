package im.zonda.app.control;

import java.io.IOException;

/// A command that does not apply to the server as it is. The administrator sees the message;
/// nothing is logged.
public final class NotApplicableException extends IOException {
  private static final long serialVersionUID = 1;

  /// @param message a sentence for the administrator
  public NotApplicableException(String message) {
    super(message);
  }
}
