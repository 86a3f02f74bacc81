package im.zonda.provider.hash;

import im.zonda.config.accounts.SqlAccounts.Hash;

/// A password as another program has stored it.
///
/// What a row says is not trusted: forms with a cost have an upper limit, so that no row keeps the
/// server busy for more than some seconds, and forms that need memory share a limited amount.
public sealed interface StoredPassword
    permits Argon2, Bcrypt, Pbkdf2, PhPass, PlainText, SaltedDigest, ScramText, Scrypt, ShaCrypt {
  /// The most characters of a stored password.
  int MOST_CHARS = 1_024;

  /// Whether that is the password. Takes up to some seconds; compares in constant time.
  ///
  /// @param password not empty
  boolean matches(String password) throws InterruptedException;

  /// Reads a stored password.
  ///
  /// @param form its form; [Hash#AUTO] for any but plain text
  /// @throws UnreadableHashException if it is of another form, is damaged or costs too much
  static StoredPassword of(Hash form, String text) throws UnreadableHashException {
    if (text.length() > MOST_CHARS) {
      throw new UnreadableHashException("the stored password is too long");
    }
    if (form == Hash.PLAIN) {
      return new PlainText(text.startsWith("{PLAIN}") ? text.substring(7) : text);
    }
    String bare = Form.unwrap(text);
    Form found = Form.recognise(bare);
    if (found == null || (form != Hash.AUTO && form != found.hash())) {
      throw new UnreadableHashException(
          form == Hash.AUTO
              ? "the stored password has no form that is known"
              : "the stored password has another form than " + form);
    }
    try {
      return found.read(bare);
    } catch (IllegalArgumentException e) {
      // Without the cause: its message may have a part of the text.
      throw new UnreadableHashException("the stored password is damaged");
    }
  }
}
