package im.zonda.provider.hash;

import im.zonda.config.accounts.SqlAccounts.Hash;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A form that is recognised by the start of the text.
///
/// @param start its start
/// @param prefix how much of the start is not part of what is read
/// @param hash its kind
/// @param reader reads the rest
record Form(String start, int prefix, Hash hash, Reader reader) {
  /// Reads a stored password.
  @FunctionalInterface
  interface Reader {
    /// The password that is stored in a text.
    ///
    /// @throws UnreadableHashException if it costs too much
    /// @throws IllegalArgumentException if it is damaged
    StoredPassword read(String text) throws UnreadableHashException;
  }

  /// The forms; those with the longer starts first where one begins like another.
  private static final List<Form> ALL =
      List.of(
          of("$2a$", Hash.BCRYPT, Bcrypt::read),
          of("$2b$", Hash.BCRYPT, Bcrypt::read),
          of("$2y$", Hash.BCRYPT, Bcrypt::read),
          of("$argon2", Hash.ARGON2, Argon2::read),
          of("$pbkdf2", Hash.PBKDF2, Pbkdf2::readPhc),
          of("$scrypt$", Hash.SCRYPT, Scrypt::readPhc),
          of("$5$", Hash.CRYPT, ShaCrypt::read),
          of("$6$", Hash.CRYPT, ShaCrypt::read),
          of("$P$", Hash.PHPASS, PhPass::read),
          of("$H$", Hash.PHPASS, PhPass::read),
          of("$S$", Hash.PHPASS, PhPass::read),
          after("$wp", Hash.BCRYPT, Bcrypt::readWordPress),
          of("SCRAM-SHA-", Hash.SCRAM, ScramText::read),
          of("scram:", Hash.SCRAM, ScramText::readCommas),
          of("{SCRAM-SHA-", Hash.SCRAM, ScramText::readBraces),
          // Django
          of("pbkdf2_", Hash.PBKDF2, Pbkdf2::readDjango),
          of("scrypt$", Hash.SCRYPT, Scrypt::readDjango),
          after("bcrypt$", Hash.BCRYPT, Bcrypt::read),
          after("bcrypt_sha256$", Hash.BCRYPT, Bcrypt::readDigested),
          after("argon2$", Hash.ARGON2, text -> Argon2.read("$" + text)),
          // Werkzeug
          of("pbkdf2:", Hash.PBKDF2, Pbkdf2::readWerkzeug),
          of("scrypt:", Hash.SCRYPT, Scrypt::readWerkzeug),
          // LDAP and Dovecot
          of("{SSHA", Hash.SSHA, SaltedDigest::read));

  /// What LDAP and Dovecot write before the forms of other programs.
  private static final List<String> WRAPPERS =
      List.of(
          "{CRYPT}", "{BLF-CRYPT}", "{SHA256-CRYPT}", "{SHA512-CRYPT}", "{ARGON2I}", "{ARGON2ID}");

  private static Form of(String start, Hash hash, Reader reader) {
    return new Form(start, 0, hash, reader);
  }

  private static Form after(String start, Hash hash, Reader reader) {
    return new Form(start, start.length(), hash, reader);
  }

  /// The text without what was written before it.
  static String unwrap(String text) {
    for (String wrapper : WRAPPERS) {
      if (text.regionMatches(true, 0, wrapper, 0, wrapper.length())) {
        return text.substring(wrapper.length());
      }
    }
    return text;
  }

  /// The form of that text, or null if it is not known.
  static @Nullable Form recognise(String text) {
    for (Form form : ALL) {
      if (text.startsWith(form.start)) {
        return form;
      }
    }
    return null;
  }

  /// Reads a stored password.
  StoredPassword read(String text) throws UnreadableHashException {
    return reader.read(text.substring(prefix));
  }
}
