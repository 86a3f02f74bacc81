package im.zonda.plugins.webhooks;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.operation.Secret;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs requests: `t=SECONDS,v1=HEX`, where `HEX` is the HMAC-SHA-256 of the seconds, a dot and
/// the body.
final class Signature {
  static final String HEADER = "X-Zonda-Signature";

  private static final String ALGORITHM = "HmacSHA256";

  private Signature() {}

  /// The value of the header.
  static String of(Secret secret, Instant now, byte[] body) {
    String seconds = Long.toString(now.getEpochSecond());
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.text().getBytes(UTF_8), ALGORITHM));
      mac.update((seconds + '.').getBytes(US_ASCII));
      return "t=" + seconds + ",v1=" + HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no " + ALGORITHM, e);
    }
  }
}
