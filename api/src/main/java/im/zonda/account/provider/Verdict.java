package im.zonda.account.provider;

/// The answer of a provider.
public sealed interface Verdict {
  /// The provider has no such account.
  Verdict UNKNOWN = new Unknown();

  /// The reason why a certificate that is right is no proof: it has several addresses of the host,
  /// and the client must say which one it wants (XEP-0178, section 2).
  String SEVERAL_ADDRESSES = "the certificate has several addresses";

  /// It is that account. Whether the account may log in is in it.
  record Accepted(ProvidedAccount account) implements Verdict {}

  /// The provider has the account, and the proof is not right.
  ///
  /// @param reason for the log, without secrets
  record Wrong(String reason) implements Verdict {}

  /// The provider has no such account: the next one of the chain is asked.
  record Unknown() implements Verdict {}
}
