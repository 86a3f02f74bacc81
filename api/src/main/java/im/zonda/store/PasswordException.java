package im.zonda.store;

/// A password that cannot be one: empty, too long, or with characters that no password may hold.
public final class PasswordException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /// Says what is wrong; never holds the password itself.
  public PasswordException(String message) {
    super(message, null);
  }
}
