package im.zonda.stream.component;

import im.zonda.hash.HashFunction;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

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
    return HashFunction.SHA_1.hex(streamId + secret);
  }
}
