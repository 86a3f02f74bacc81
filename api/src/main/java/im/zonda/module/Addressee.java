package im.zonda.module;

/// To whom an IQ is addressed that a module answers.
public enum Addressee {
  /// The virtual host itself.
  SERVER,
  /// The sender's own account: no `to`, or the sender's own bare address.
  OWN_ACCOUNT,
  /// The bare address of another account; the server answers on its behalf. The account may not
  /// exist ([im.zonda.session.Home#exists]): the answer must be the one for an account that shows
  /// the sender nothing.
  OTHER_ACCOUNT
}
