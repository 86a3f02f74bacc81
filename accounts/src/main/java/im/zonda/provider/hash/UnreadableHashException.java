package im.zonda.provider.hash;

/// The text of a stored password is of no form that is known, or to check it would cost too much.
public final class UnreadableHashException extends Exception {
  private static final long serialVersionUID = 1;

  /// @param reason for administrators, without the text
  public UnreadableHashException(String reason) {
    super(reason);
  }
}
