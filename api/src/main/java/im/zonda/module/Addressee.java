package im.zonda.module;

/// To whom an IQ is addressed that a module answers.
public enum Addressee {
  /// The virtual host itself.
  SERVER,
  /// The sender's own account: no `to`, or the sender's own bare address.
  OWN_ACCOUNT,
  /// The bare address of another account; the server answers on its behalf. Also one that does not
  /// exist ([im.zonda.session.Home#exists]): what a stranger is told must be the same for both.
  OTHER_ACCOUNT
}
