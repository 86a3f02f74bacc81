package im.zonda.auth;

import im.zonda.jid.Jid;

/// Passwords of accounts that others keep. Calls block.
public interface PasswordsElsewhere {
  /// Whether the server keeps accounts of the host itself.
  boolean hasOwn(String domain);

  /// Whether someone else keeps the account.
  boolean keeps(Jid account);

  /// Sets the password of such an account, and ends what was proved by the one before.
  ///
  /// @return whether it was set
  boolean set(Jid account, String password);
}
