package im.zonda.stream.component;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// The credentials of a component (XEP-0114, section 3): SHA-1 of stream identifier and secret.
final class Handshake {
  private Handshake() {}

  /// Whether `text` is that of a component that knows the secret. Takes the same time for every
  /// text of the right length.
  static boolean matches(String text, String streamId, String secret) {
    return MessageDigest.isEqual(
        text.getBytes(StandardCharsets.UTF_8),
        digest(streamId, secret).getBytes(StandardCharsets.US_ASCII));
  }

  /// The text in lower-case hexadecimal digits.
  static String digest(String streamId, String secret) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-1")
              .digest((streamId + secret).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-1", e);
    }
  }
}
