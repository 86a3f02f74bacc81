package im.zonda.auth;

/// A text that cannot be a password: empty, too long, or with forbidden characters.
public final class PasswordException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final String reason;

  /// @param reason what is wrong, without the text itself
  public PasswordException(String reason) {
    super(reason, null);
    this.reason = reason;
  }

  /// What is wrong, without the text itself.
  public String reason() {
    return reason;
  }
}
