package im.zonda.console.factor;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// One-time codes by time (RFC 6238) as all apps for them make them: six digits, SHA-1, a new one
/// every 30 seconds.
final class OneTimeCode {
  /// The number of bytes of a secret (RFC 4226, section 4: at least 16, better 20).
  static final int SECRET_BYTES = 20;

  /// How long a code is shown.
  static final Duration STEP = Duration.ofSeconds(30);

  /// No code has matched.
  static final long NONE = -1;

  private static final int DIGITS = 6;
  private static final int MODULUS = 1_000_000;

  /// By how many steps the clock of a device may be wrong (section 5.2).
  private static final int TOLERANCE = 1;

  private OneTimeCode() {}

  /// The step that a time is in.
  static long step(Instant time) {
    return Math.floorDiv(time.getEpochSecond(), STEP.toSeconds());
  }

  /// The code of a step (RFC 4226, section 5.3).
  static String of(byte[] secret, long step) {
    byte[] hash;
    try {
      Mac mac = Mac.getInstance("HmacSHA1");
      mac.init(new SecretKeySpec(secret, "HmacSHA1"));
      hash = mac.doFinal(ByteBuffer.allocate(Long.BYTES).putLong(step).array());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no HMAC SHA-1", e);
    }
    int offset = hash[hash.length - 1] & 0xf;
    int number = ByteBuffer.wrap(hash).getInt(offset) & Integer.MAX_VALUE;
    return String.format(Locale.ROOT, "%0" + DIGITS + "d", number % MODULUS);
  }

  /// The step of which something is the code, near a time and after the step of the last code that
  /// was used; [#NONE] if there is none. All are looked at, whichever it is.
  static long match(byte[] secret, String code, Instant now, long last) {
    byte[] given = code.getBytes(StandardCharsets.UTF_8);
    long current = step(now);
    long found = NONE;
    for (long step = current - TOLERANCE; step <= current + TOLERANCE; step++) {
      boolean equal =
          MessageDigest.isEqual(of(secret, step).getBytes(StandardCharsets.UTF_8), given);
      if (equal && step > last) {
        found = step;
      }
    }
    return found;
  }
}
