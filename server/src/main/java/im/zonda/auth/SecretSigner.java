package im.zonda.auth;

import im.zonda.http.Signer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs with keys that are derived from the server's secret, one for each purpose.
public final class SecretSigner implements Signer {
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec secret;

  /// @param secret at least 16 secret bytes; with others, signatures made before are not valid
  public SecretSigner(byte[] secret) {
    this.secret = new SecretKeySpec(secret, ALGORITHM);
  }

  @Override
  public byte[] sign(String purpose, String text) {
    byte[] key = mac(secret, "signature of " + purpose);
    return mac(new SecretKeySpec(key, ALGORITHM), text);
  }

  private static byte[] mac(SecretKeySpec key, String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no HMAC SHA-256", e);
    }
  }
}
