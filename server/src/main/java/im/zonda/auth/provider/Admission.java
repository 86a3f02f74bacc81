package im.zonda.auth.provider;

import im.zonda.jid.Jid;

/// The outcome of a login, once all providers of a host that had to be asked have answered.
public sealed interface Admission {
  /// The account may log in. It exists now, if it did not before.
  ///
  /// @param account its bare address
  /// @param own whether the server keeps the account itself
  record Admitted(Jid account, boolean own) implements Admission {}

  /// The proof was right, and nobody may log in to the account.
  ///
  /// @param account its bare address
  record Disabled(Jid account) implements Admission {}

  /// The proof was not right, or nobody has such an account.
  ///
  /// @param reason for the log, without secrets
  record Refused(String reason) implements Admission {}

  /// Someone who had to be asked does not answer.
  ///
  /// @param reason for the log, without secrets
  record Unavailable(String reason) implements Admission {}
}
