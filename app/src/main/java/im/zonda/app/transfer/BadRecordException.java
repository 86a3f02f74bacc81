package im.zonda.app.transfer;

/// A value of another server cannot be used. It costs itself only; the message is for the
/// administrator.
public final class BadRecordException extends Exception {
  private static final long serialVersionUID = 1;

  /// A value with that defect.
  public BadRecordException(String message) {
    super(message);
  }
}
