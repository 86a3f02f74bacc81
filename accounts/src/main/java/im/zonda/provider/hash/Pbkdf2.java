package im.zonda.provider.hash;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;

/// PBKDF2 (RFC 8018, section 5.2) as Django, passlib and Werkzeug write it. Own code, because that
/// of the Java runtime cannot be interrupted.
final class Pbkdf2 implements StoredPassword {
  private static final Pattern DJANGO =
      Pattern.compile("pbkdf2_(sha1|sha256|sha512)\\$(\\d{1,9})\\$([^$]+)\\$([A-Za-z0-9+/=]+)");
  private static final Pattern PHC =
      Pattern.compile(
          "\\$pbkdf2(?:-(sha1|sha256|sha512))?\\$(?:i=)?(\\d{1,9})(?:,l=\\d{1,3})?"
              + "\\$([A-Za-z0-9+/.]*)\\$([A-Za-z0-9+/.]+)");
  private static final Pattern WERKZEUG =
      Pattern.compile("pbkdf2:(sha1|sha256|sha512):(\\d{1,9})\\$([^$]+)\\$([0-9a-f]+)");
  private static final int CHECKED_EVERY = 1_024;

  private final String hash;
  private final int iterations;
  private final byte[] salt;
  private final byte[] expected;

  private Pbkdf2(String hash, int iterations, byte[] salt, byte[] expected) {
    this.hash = hash;
    this.iterations = iterations;
    this.salt = salt;
    this.expected = expected;
  }

  private static Pbkdf2 of(Matcher parts, byte[] salt, byte[] expected)
      throws UnreadableHashException {
    String name = parts.group(1) == null ? "sha1" : parts.group(1);
    int iterations = Integer.parseInt(parts.group(2));
    int size =
        switch (name) {
          case "sha256" -> 32;
          case "sha512" -> 64;
          default -> 20;
        };
    if (iterations == 0 || expected.length == 0) {
      throw new IllegalArgumentException("the parameters");
    }
    long blocks = ((long) expected.length + size - 1) / size;
    Costs.bounded("iterations", iterations * blocks, Costs.PBKDF2_ITERATIONS);
    return new Pbkdf2("Hmac" + name, iterations, salt, expected);
  }

  /// `pbkdf2_sha256$1000000$salt$hash`.
  static Pbkdf2 readDjango(String text) throws UnreadableHashException {
    Matcher parts = match(DJANGO, text);
    return of(
        parts,
        parts.group(3).getBytes(StandardCharsets.UTF_8),
        Base64.getDecoder().decode(parts.group(4)));
  }

  /// `$pbkdf2-sha256$29000$salt$hash` of passlib, or with `i=29000,l=32`.
  static Pbkdf2 readPhc(String text) throws UnreadableHashException {
    Matcher parts = match(PHC, text);
    return of(parts, base64(parts.group(3)), base64(parts.group(4)));
  }

  /// `pbkdf2:sha256:1000000$salt$hash`.
  static Pbkdf2 readWerkzeug(String text) throws UnreadableHashException {
    Matcher parts = match(WERKZEUG, text);
    return of(
        parts,
        parts.group(3).getBytes(StandardCharsets.UTF_8),
        HexFormat.of().parseHex(parts.group(4)));
  }

  private static Matcher match(Pattern shape, String text) {
    Matcher parts = shape.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("the shape");
    }
    return parts;
  }

  /// Base64, or passlib's with a dot in place of the plus.
  static byte[] base64(String text) {
    return Base64.getDecoder().decode(text.replace('.', '+'));
  }

  @Override
  public boolean matches(String password) throws InterruptedException {
    byte[] given = password.getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(derive(hash, given, salt, iterations, expected.length), expected);
  }

  /// @param hash such as `HmacSHA256`
  static byte[] derive(String hash, byte[] password, byte[] salt, int iterations, int length)
      throws InterruptedException {
    try {
      Mac mac = Mac.getInstance(hash);
      mac.init(new SecretKeySpec(password, hash));
      byte[] derived = new byte[length];
      int size = mac.getMacLength();
      for (int block = 1, at = 0; at < length; block++, at += size) {
        byte[] made = block(mac, salt, block, iterations);
        System.arraycopy(made, 0, derived, at, Math.min(size, length - at));
      }
      return derived;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no " + hash, e);
    }
  }

  private static byte[] block(Mac mac, byte[] salt, int block, int iterations)
      throws InterruptedException, ShortBufferException {
    mac.update(salt);
    byte[] each = mac.doFinal(ByteBuffer.allocate(Integer.BYTES).putInt(block).array());
    byte[] made = Arrays.copyOf(each, each.length);
    for (int i = 1; i < iterations; i++) {
      if (i % CHECKED_EVERY == 0) {
        Costs.goOn();
      }
      mac.update(each);
      mac.doFinal(each, 0);
      for (int j = 0; j < made.length; j++) {
        made[j] ^= each[j];
      }
    }
    return made;
  }
}
