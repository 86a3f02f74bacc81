package im.zonda.module.registration;

import im.zonda.directory.SignUp.Reason;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.nio.charset.StandardCharsets;

/// The name of a new account, as someone has entered it.
sealed interface Username {
  /// The maximum size of a local part, in bytes of UTF-8 (RFC 7622, section 3.3).
  int MAX_BYTES = 1_023;

  /// It is a local part.
  ///
  /// @param account the address that it makes
  record Valid(Jid account) implements Username {}

  /// It cannot be one.
  record Unfit(Reason reason) implements Username {}

  /// Reads a name.
  static Username of(String text, Jid host) {
    if (text.isEmpty()) {
      return new Unfit(Reason.NAME_EMPTY);
    }
    if (text.length() > MAX_BYTES || text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      return new Unfit(Reason.NAME_TOO_LONG);
    }
    if (text.indexOf('@') >= 0) {
      return new Unfit(Reason.NAME_AT);
    }
    if (text.codePoints().anyMatch(c -> Character.isWhitespace(c) || Character.isSpaceChar(c))) {
      return new Unfit(Reason.NAME_SPACE);
    }
    try {
      return new Valid(Jid.of(text, host.domain(), null));
    } catch (JidFormatException e) {
      return new Unfit(Reason.NAME_CHARACTER);
    }
  }
}
