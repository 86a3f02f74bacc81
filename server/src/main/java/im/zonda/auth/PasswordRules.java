package im.zonda.auth;

import im.zonda.account.PasswordProblem;
import im.zonda.jid.Jid;
import java.util.Locale;
import java.util.Objects;

/// The rules of a host for passwords that people choose, after NIST SP 800-63B, section 5.1.1.2: a
/// minimum length, no password that attackers try first, not the name of the account, and no other
/// rules about characters. Administrators and imports are free of them.
///
/// @param minLength the minimum number of characters (code points)
public record PasswordRules(int minLength) {
  /// A password of fewer different characters is as easy to guess as a short one.
  private static final int DIFFERENT = 4;

  /// Checks a password for an account. Reads a file.
  ///
  /// @param account a bare address
  /// @throws PasswordException if it cannot be the password
  public void check(Jid account, String password) {
    Passwords.prepare(password);
    if (password.codePointCount(0, password.length()) < minLength) {
      throw new PasswordException(
          PasswordProblem.TOO_SHORT, "a password must have at least " + minLength + " characters");
    }
    String folded = password.toLowerCase(Locale.ROOT);
    String word = CommonPasswords.word(folded);
    String name = Objects.requireNonNullElse(account.local(), "");
    if (folded.equals(name) || word.equals(name) || folded.equals(account.toString())) {
      throw new PasswordException(
          PasswordProblem.NAME, "the password must not be the name of the account");
    }
    if (folded.codePoints().distinct().count() < DIFFERENT
        || CommonPasswords.contains(folded, word)) {
      throw new PasswordException(
          PasswordProblem.COMMON, "attackers try this password first; choose another one");
    }
  }
}
