package im.zonda.provider.http;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs questions, as proof of who has sent them: `t=SECONDS,v1=HEX`, where `HEX` is the
/// HMAC-SHA-256 of the seconds, a dot and the body.
final class Signature {
  static final String HEADER = "X-Zonda-Signature";

  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;
  private final InstantSource clock;

  Signature(String secret, InstantSource clock) {
    this.key = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
    this.clock = clock;
  }

  /// The value of the header.
  String of(byte[] body) {
    String seconds = Long.toString(clock.instant().getEpochSecond());
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update((seconds + '.').getBytes(StandardCharsets.US_ASCII));
      return "t=" + seconds + ",v1=" + HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no " + ALGORITHM, e);
    }
  }
}
