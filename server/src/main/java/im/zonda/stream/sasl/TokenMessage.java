package im.zonda.stream.sasl;

import java.util.Arrays;

/// The message of a client that logs in by a token.
///
/// @param name the user name
/// @param proof HMAC(token, "Initiator" || channel binding)
@SuppressWarnings("ArrayRecordComponent") // compared only in constant time
public record TokenMessage(String name, byte[] proof) {
  private static final int PROOF_BYTES = 32;

  /// Reads `name NUL proof`.
  ///
  /// @throws SaslFailure `malformed-request` if it is not that
  public static TokenMessage parse(byte[] bytes) throws SaslFailure {
    int end = bytes.length - PROOF_BYTES - 1;
    if (end < 1 || bytes[end] != 0) {
      throw new SaslFailure(SaslCondition.MALFORMED_REQUEST, "not a name and a proof");
    }
    return new TokenMessage(
        SaslText.decode(bytes, 0, end), Arrays.copyOfRange(bytes, end + 1, bytes.length));
  }

  @Override
  public String toString() {
    return "token message of " + name;
  }
}
