package im.zonda.module;

/// The kinds of addresses at which modules answer IQ requests.
public enum Addressee {
  /// The virtual host itself.
  SERVER,
  /// The sender's own account: no `to`, or the sender's own bare address.
  OWN_ACCOUNT,
  /// The bare address of another account; the server answers on its behalf. The account may not
  /// exist ([im.zonda.session.Home#exists]): then the answer must be the same as for an account
  /// whose presence the sender may not see.
  OTHER_ACCOUNT
}
