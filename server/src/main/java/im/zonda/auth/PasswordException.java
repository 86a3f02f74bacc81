package im.zonda.auth;

import im.zonda.account.PasswordProblem;

/// A text that cannot be a password, or not the one of an account.
public final class PasswordException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final PasswordProblem problem;
  private final String reason;

  /// @param problem what is wrong
  /// @param reason what is wrong, in words, without the text itself
  public PasswordException(PasswordProblem problem, String reason) {
    super(reason, null);
    this.problem = problem;
    this.reason = reason;
  }

  /// What is wrong.
  public PasswordProblem problem() {
    return problem;
  }

  /// What is wrong, in words, without the text itself.
  public String reason() {
    return reason;
  }
}
