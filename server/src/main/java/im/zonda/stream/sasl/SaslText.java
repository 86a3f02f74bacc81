package im.zonda.stream.sasl;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// The text of SASL messages: strict UTF-8.
final class SaslText {
  private SaslText() {}

  /// Decodes UTF-8.
  ///
  /// @throws SaslFailure `malformed-request` if it is not UTF-8 or holds NUL
  static String decode(byte[] bytes, int from, int to) throws SaslFailure {
    try {
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes, from, to - from))
              .toString();
      if (text.indexOf('\0') >= 0) {
        throw new SaslFailure(SaslCondition.MALFORMED_REQUEST, "NUL in the message");
      }
      return text;
    } catch (CharacterCodingException e) {
      throw new SaslFailure(SaslCondition.MALFORMED_REQUEST, "not UTF-8");
    }
  }
}
