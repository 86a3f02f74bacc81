package im.zonda.stream.sasl;

/// The one message of the mechanism ANONYMOUS (RFC 4505, section 3): nothing, an e-mail address or
/// a token, by which a client may say who it is. It is checked and used for nothing.
final class TraceInformation {
  /// The most characters of a token; an e-mail address may be as long here.
  private static final int MOST = 255;

  private TraceInformation() {}

  /// Checks the message.
  ///
  /// @throws SaslFailure `malformed-request` if it is not UTF-8 or too long
  static void check(byte[] message) throws SaslFailure {
    String text = SaslText.decode(message, 0, message.length);
    if (text.codePointCount(0, text.length()) > MOST) {
      throw new SaslFailure(SaslCondition.MALFORMED_REQUEST, "a trace of too many characters");
    }
  }
}
