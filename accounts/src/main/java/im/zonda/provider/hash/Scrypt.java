package im.zonda.provider.hash;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.SCrypt;

/// scrypt (RFC 7914) as passlib, Django and Werkzeug write it.
final class Scrypt implements StoredPassword {
  private static final Pattern PHC =
      Pattern.compile(
          "\\$scrypt\\$ln=(\\d{1,2}),r=(\\d{1,4}),p=(\\d{1,4})\\$([A-Za-z0-9+/.]*)\\$([A-Za-z0-9+/.]+)");
  private static final Pattern DJANGO =
      Pattern.compile(
          "scrypt\\$(\\d{1,9})\\$([^$]+)\\$(\\d{1,4})\\$(\\d{1,4})\\$([A-Za-z0-9+/=]+)");
  private static final Pattern WERKZEUG =
      Pattern.compile("scrypt:(\\d{1,9}):(\\d{1,4}):(\\d{1,4})\\$([^$]+)\\$([0-9a-f]+)");
  private static final int MOST_EXPONENT = 30;

  /// Numbers of one hash.
  ///
  /// @param memory in KiB
  private record Cost(int n, int r, int p, int memory) {
    static Cost of(int n, int r, int p) throws UnreadableHashException {
      boolean fits = n > 1 && Integer.bitCount(n) == 1 && r > 0 && p > 0;
      if (!fits || (r == 1 && n >= 65_536)) { // RFC 7914, section 2
        throw new IllegalArgumentException("the parameters");
      }
      int memory = Costs.memory((long) n * r / 8 + 1);
      Costs.bounded("KiB of memory in all passes", (long) memory * p, Costs.WRITTEN);
      return new Cost(n, r, p, memory);
    }
  }

  private final Cost cost;
  private final byte[] salt;
  private final byte[] expected;

  private Scrypt(Cost cost, byte[] salt, byte[] expected) {
    this.cost = cost;
    this.salt = salt;
    this.expected = expected;
  }

  /// `$scrypt$ln=15,r=8,p=1$salt$hash`.
  static Scrypt readPhc(String text) throws UnreadableHashException {
    Matcher parts = match(PHC, text);
    int exponent = number(parts, 1);
    if (exponent > MOST_EXPONENT) {
      throw new IllegalArgumentException("the parameters");
    }
    return new Scrypt(
        Cost.of(1 << exponent, number(parts, 2), number(parts, 3)),
        Pbkdf2.base64(parts.group(4)),
        Pbkdf2.base64(parts.group(5)));
  }

  /// `scrypt$n$salt$r$p$hash`.
  static Scrypt readDjango(String text) throws UnreadableHashException {
    Matcher parts = match(DJANGO, text);
    return new Scrypt(
        Cost.of(number(parts, 1), number(parts, 3), number(parts, 4)),
        parts.group(2).getBytes(StandardCharsets.UTF_8),
        Base64.getDecoder().decode(parts.group(5)));
  }

  /// `scrypt:n:r:p$salt$hash`.
  static Scrypt readWerkzeug(String text) throws UnreadableHashException {
    Matcher parts = match(WERKZEUG, text);
    return new Scrypt(
        Cost.of(number(parts, 1), number(parts, 2), number(parts, 3)),
        parts.group(4).getBytes(StandardCharsets.UTF_8),
        HexFormat.of().parseHex(parts.group(5)));
  }

  private static Matcher match(Pattern shape, String text) {
    Matcher parts = shape.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("the shape");
    }
    return parts;
  }

  private static int number(Matcher parts, int group) {
    return Integer.parseInt(parts.group(group));
  }

  @Override
  public boolean matches(String password) throws InterruptedException {
    byte[] given = password.getBytes(StandardCharsets.UTF_8);
    byte[] made =
        Costs.withMemory(
            cost.memory(),
            () -> SCrypt.generate(given, salt, cost.n(), cost.r(), cost.p(), expected.length));
    return MessageDigest.isEqual(made, expected);
  }
}
