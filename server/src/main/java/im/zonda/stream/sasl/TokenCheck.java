package im.zonda.stream.sasl;

import im.zonda.jid.Jid;

/// What comes of a token of an issuer.
public sealed interface TokenCheck {
  /// It is right.
  ///
  /// @param account the account that it names, which exists now
  record Accepted(Jid account) implements TokenCheck {}

  /// It is not right.
  ///
  /// @param reason for the log, without secrets
  record Rejected(String reason) implements TokenCheck {}

  /// It cannot be checked now.
  ///
  /// @param reason for the log, without secrets
  record Unavailable(String reason) implements TokenCheck {}
}
