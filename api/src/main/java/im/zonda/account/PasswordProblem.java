package im.zonda.account;

/// Why a text cannot be the password of an account.
public enum PasswordProblem {
  /// It has no characters.
  EMPTY,
  /// It has more bytes than a password may have.
  TOO_LONG,
  /// It has control characters, or others that a password cannot have (RFC 8265, section 4.2).
  CHARACTER,
  /// It has fewer characters than the host asks for.
  TOO_SHORT,
  /// Attackers try it first.
  COMMON,
  /// It is the name or the address of the account.
  NAME
}
