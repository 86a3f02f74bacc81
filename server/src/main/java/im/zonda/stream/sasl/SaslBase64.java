package im.zonda.stream.sasl;

import java.util.Base64;

/// Base64 as RFC 6120, section 6.4 requires it: one encoding per value, no white space, padded.
public final class SaslBase64 {
  private SaslBase64() {}

  /// Decodes the data of an `<auth/>` or `<response/>`; `=` stands for no bytes.
  ///
  /// @throws SaslFailure `incorrect-encoding` if it is not exactly what an encoder makes
  public static byte[] decode(String text) throws SaslFailure {
    if (text.equals("=")) {
      return new byte[0];
    }
    return decodeStrictly(text);
  }

  /// Decodes a value inside a message.
  ///
  /// @throws SaslFailure `incorrect-encoding` if it is not exactly what an encoder makes
  public static byte[] decodeStrictly(String text) throws SaslFailure {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new SaslFailure(SaslCondition.INCORRECT_ENCODING, "not Base64");
    }
    // Java accepts missing padding and stray bits at the end.
    if (!encode(bytes).equals(text)) {
      throw new SaslFailure(SaslCondition.INCORRECT_ENCODING, "Base64 that no encoder makes");
    }
    return bytes;
  }

  /// Encodes.
  public static String encode(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
