package im.zonda.provider.hash;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;

/// One round of a hash with a salt, as directories store it: `{SSHA}…`, `{SSHA256}…`, `{SSHA512}…`.
final class SaltedDigest implements StoredPassword {
  private final MessageDigest digest;
  private final byte[] expected;
  private final byte[] salt;

  private SaltedDigest(MessageDigest digest, byte[] expected, byte[] salt) {
    this.digest = digest;
    this.expected = expected;
    this.salt = salt;
  }

  static SaltedDigest read(String text) {
    int end = text.indexOf('}');
    String name =
        switch (end < 0 ? "" : text.substring(1, end).toUpperCase(Locale.ROOT)) {
          case "SSHA" -> "SHA-1";
          case "SSHA256" -> "SHA-256";
          case "SSHA512" -> "SHA-512";
          default -> throw new IllegalArgumentException("the hash");
        };
    MessageDigest digest = Digests.of(name);
    byte[] bytes = Base64.getDecoder().decode(text.substring(end + 1));
    int size = digest.getDigestLength();
    if (bytes.length < size) {
      throw new IllegalArgumentException("the length");
    }
    return new SaltedDigest(
        digest, Arrays.copyOf(bytes, size), Arrays.copyOfRange(bytes, size, bytes.length));
  }

  @Override
  public boolean matches(String password) {
    digest.reset();
    digest.update(password.getBytes(StandardCharsets.UTF_8));
    return MessageDigest.isEqual(digest.digest(salt), expected);
  }
}
