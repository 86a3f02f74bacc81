package im.zonda.hash;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// The hash functions that every Java runtime has.
public enum HashFunction {
  SHA_1("SHA-1"),
  SHA_256("SHA-256");

  private final String algorithm;

  HashFunction(String algorithm) {
    this.algorithm = algorithm;
  }

  /// The function for data that comes in parts.
  public MessageDigest begin() {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no " + algorithm, e);
    }
  }

  /// The hash of these bytes.
  public byte[] hash(byte[] bytes) {
    return begin().digest(bytes);
  }

  /// The hash of a text in UTF-8.
  public byte[] hash(String text) {
    return hash(text.getBytes(StandardCharsets.UTF_8));
  }

  /// The hash of these bytes in lower-case hexadecimal digits.
  public String hex(byte[] bytes) {
    return HexFormat.of().formatHex(hash(bytes));
  }

  /// The hash of a text in UTF-8 in lower-case hexadecimal digits.
  public String hex(String text) {
    return HexFormat.of().formatHex(hash(text));
  }
}
