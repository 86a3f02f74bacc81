package im.zonda.provider.hash;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/// Portable hashes of PHPass: `$P$` of WordPress before 6.8, `$H$` of phpBB, `$S$` of Drupal 7.
final class PhPass implements StoredPassword {
  private static final int ROUNDS_AT = 3;
  private static final int SALT_AT = 4;
  private static final int HASH_AT = 12;
  private static final int MD5_CHARS = 34;
  private static final int SHA_CHARS = 55;
  private static final int CHECKED_EVERY = 1_024;

  private final MessageDigest digest;
  private final int rounds;
  private final byte[] salt;
  private final byte[] expected;

  private PhPass(MessageDigest digest, int rounds, byte[] salt, byte[] expected) {
    this.digest = digest;
    this.rounds = rounds;
    this.salt = salt;
    this.expected = expected;
  }

  static PhPass read(String text) throws UnreadableHashException {
    boolean drupal = text.charAt(1) == 'S';
    if (text.length() != (drupal ? SHA_CHARS : MD5_CHARS)) {
      throw new IllegalArgumentException("the length");
    }
    int exponent =
        Costs.bounded(
            "rounds (as a power of two)",
            CryptText.ALPHABET.indexOf(text.charAt(ROUNDS_AT)),
            Costs.PHPASS_ROUNDS);
    return new PhPass(
        Digests.of(drupal ? "SHA-512" : "MD5"),
        1 << exponent,
        text.substring(SALT_AT, HASH_AT).getBytes(StandardCharsets.UTF_8),
        text.substring(HASH_AT).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public boolean matches(String password) throws InterruptedException {
    byte[] given = password.getBytes(StandardCharsets.UTF_8);
    digest.reset();
    digest.update(salt);
    byte[] made = digest.digest(given);
    for (int round = 0; round < rounds; round++) {
      if (round % CHECKED_EVERY == 0) {
        Costs.goOn();
      }
      digest.update(made);
      made = digest.digest(given);
    }
    String text = text(made).substring(0, expected.length);
    return MessageDigest.isEqual(text.getBytes(StandardCharsets.US_ASCII), expected);
  }

  /// Groups of three bytes, the lowest first.
  private static String text(byte[] bytes) {
    StringBuilder out = new StringBuilder();
    for (int at = 0; at < bytes.length; at += 3) {
      int count = Math.min(3, bytes.length - at);
      int number = 0;
      for (int i = 0; i < count; i++) {
        number |= (bytes[at + i] & 0xff) << (8 * i);
      }
      CryptText.append(out, number, count + 1);
    }
    return out.toString();
  }
}
