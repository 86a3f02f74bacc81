package im.zonda.provider.hash;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.generators.OpenBSDBCrypt;

/// bcrypt: `$2b$12$…`, also of what Django and WordPress make of a password before. Of a password
/// it takes the first 72 bytes.
final class Bcrypt implements StoredPassword {
  private static final Pattern SHAPE = Pattern.compile("\\$2[aby]\\$\\d\\d\\$[./A-Za-z0-9]{53}");
  private static final int COST_AT = 4;
  private static final int LEAST_COST = 4;

  private final String text;
  private final UnaryOperator<byte[]> before;

  private Bcrypt(String text, UnaryOperator<byte[]> before) {
    this.text = text;
    this.before = before;
  }

  private static Bcrypt read(String text, UnaryOperator<byte[]> before)
      throws UnreadableHashException {
    if (!SHAPE.matcher(text).matches()) {
      throw new IllegalArgumentException("the shape");
    }
    int cost = Integer.parseInt(text, COST_AT, COST_AT + 2, 10);
    if (cost < LEAST_COST) {
      throw new IllegalArgumentException("the cost");
    }
    Costs.bounded("bcrypt cost", cost, Costs.BCRYPT_COST);
    return new Bcrypt(text, before);
  }

  static Bcrypt read(String text) throws UnreadableHashException {
    return read(text, password -> password);
  }

  /// `bcrypt_sha256` of Django: of the SHA-256 in hexadecimal digits.
  static Bcrypt readDigested(String text) throws UnreadableHashException {
    return read(
        text,
        password ->
            HexFormat.of()
                .formatHex(Digests.of("SHA-256").digest(password))
                .getBytes(StandardCharsets.US_ASCII));
  }

  /// `$wp$2y$…` of WordPress 6.8: of an HMAC, in Base64, of the password without spaces at its
  /// ends.
  static Bcrypt readWordPress(String text) throws UnreadableHashException {
    return read(text, Bcrypt::wordPress);
  }

  private static byte[] wordPress(byte[] password) {
    try {
      Mac mac = Mac.getInstance("HmacSHA384");
      mac.init(
          new SecretKeySpec("wp-sha384".getBytes(StandardCharsets.US_ASCII), mac.getAlgorithm()));
      String trimmed = new String(password, StandardCharsets.UTF_8).trim();
      return Base64.getEncoder().encode(mac.doFinal(trimmed.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no HMAC SHA-384", e);
    }
  }

  @Override
  public boolean matches(String password) {
    byte[] given = before.apply(password.getBytes(StandardCharsets.UTF_8));
    return OpenBSDBCrypt.checkPassword(text, given);
  }
}
