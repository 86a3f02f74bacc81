package im.zonda.provider.hash;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The crypt of Unix with SHA-256 (`$5$`) or SHA-512 (`$6$`), after "Unix crypt using SHA-256 and
/// SHA-512" 0.6 by Ulrich Drepper.
final class ShaCrypt implements StoredPassword {
  private static final Pattern SHAPE =
      Pattern.compile("\\$([56])\\$(?:rounds=(\\d{1,9})\\$)?([^$]{0,16})\\$([./0-9A-Za-z]+)");
  private static final int DEFAULT_ROUNDS = 5_000;
  private static final int LEAST_ROUNDS = 1_000;
  private static final int CHECKED_EVERY = 1_024;

  private final MessageDigest digest;
  private final int rounds;
  private final byte[] salt;
  private final byte[] expected;

  private ShaCrypt(MessageDigest digest, int rounds, byte[] salt, byte[] expected) {
    this.digest = digest;
    this.rounds = rounds;
    this.salt = salt;
    this.expected = expected;
  }

  static ShaCrypt read(String text) throws UnreadableHashException {
    Matcher parts = SHAPE.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("the shape");
    }
    int rounds =
        parts.group(2) == null
            ? DEFAULT_ROUNDS
            : Math.max(LEAST_ROUNDS, Integer.parseInt(parts.group(2)));
    MessageDigest digest = Digests.of(parts.group(1).equals("5") ? "SHA-256" : "SHA-512");
    byte[] expected = parts.group(4).getBytes(StandardCharsets.US_ASCII);
    if (expected.length != (digest.getDigestLength() * 8 + 5) / 6) {
      throw new IllegalArgumentException("the length");
    }
    return new ShaCrypt(
        digest,
        Costs.bounded("rounds", rounds, Costs.SHA_CRYPT_ROUNDS),
        parts.group(3).getBytes(StandardCharsets.UTF_8),
        expected);
  }

  @Override
  public boolean matches(String password) throws InterruptedException {
    byte[] made = derive(password.getBytes(StandardCharsets.UTF_8));
    return MessageDigest.isEqual(text(made).getBytes(StandardCharsets.US_ASCII), expected);
  }

  private byte[] derive(byte[] password) throws InterruptedException {
    digest.reset();
    digest.update(password);
    digest.update(salt);
    byte[] second = digest.digest(password);

    digest.update(password);
    digest.update(salt);
    digest.update(repeated(second, password.length));
    for (int bits = password.length; bits > 0; bits >>= 1) {
      digest.update((bits & 1) == 0 ? password : second);
    }
    byte[] last = digest.digest();

    for (int i = 0; i < password.length; i++) {
      digest.update(password);
    }
    byte[] passwordBytes = repeated(digest.digest(), password.length);
    for (int i = 0; i < 16 + (last[0] & 0xff); i++) {
      digest.update(salt);
    }
    byte[] saltBytes = repeated(digest.digest(), salt.length);

    for (int round = 0; round < rounds; round++) {
      if (round % CHECKED_EVERY == 0) {
        Costs.goOn();
      }
      boolean odd = (round & 1) == 1;
      digest.update(odd ? passwordBytes : last);
      if (round % 3 != 0) {
        digest.update(saltBytes);
      }
      if (round % 7 != 0) {
        digest.update(passwordBytes);
      }
      digest.update(odd ? last : passwordBytes);
      last = digest.digest();
    }
    return last;
  }

  /// The bytes again and again, up to `length`.
  private static byte[] repeated(byte[] bytes, int length) {
    byte[] all = Arrays.copyOf(bytes, length);
    for (int at = bytes.length; at < length; at += bytes.length) {
      System.arraycopy(bytes, 0, all, at, Math.min(bytes.length, length - at));
    }
    return all;
  }

  /// The result in the order of bytes that the specification prescribes.
  private static String text(byte[] bytes) {
    StringBuilder out = new StringBuilder();
    int third = bytes.length / 3;
    boolean forward = bytes.length == 64;
    int first = 0;
    int second = third;
    int last = 2 * third;
    for (int group = 0; group < third; group++) {
      int number = (bytes[first] & 0xff) << 16 | (bytes[second] & 0xff) << 8 | (bytes[last] & 0xff);
      CryptText.append(out, number, 4);
      int moved = first + 1;
      first = forward ? second + 1 : last + 1;
      if (forward) {
        second = last + 1;
        last = moved;
      } else {
        last = second + 1;
        second = moved;
      }
    }
    if (forward) {
      CryptText.append(out, bytes[63] & 0xff, 2);
    } else {
      CryptText.append(out, (bytes[31] & 0xff) << 8 | (bytes[30] & 0xff), 3);
    }
    return out.toString();
  }
}
