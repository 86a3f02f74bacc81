package im.zonda.bench.trace.log;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Replaces names by an HMAC with SHA-256: the same name is the same word with the same salt, and
/// without the salt no one can look names up.
final class NameHash {
  /// The least bytes of a salt.
  static final int MIN_SALT = 16;

  private static final int BYTES = 8;

  private final Mac mac;
  private final Map<String, String> known = new HashMap<>();

  /// @param salt a secret of at least [#MIN_SALT] bytes
  NameHash(byte[] salt) {
    if (salt.length < MIN_SALT) {
      throw new IllegalArgumentException(
          "the salt has " + salt.length + " bytes, less than " + MIN_SALT);
    }
    try {
      mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(salt, "HmacSHA256"));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("each Java run time has HMAC with SHA-256", e);
    }
  }

  /// The word for a name.
  ///
  /// @param prefix `p` for a player, `r` for a room
  String word(String prefix, String name) {
    return known.computeIfAbsent(prefix + name, this::hash);
  }

  private String hash(String prefixed) {
    byte[] hash = mac.doFinal(prefixed.getBytes(StandardCharsets.UTF_8));
    return prefixed.charAt(0) + HexFormat.of().formatHex(hash, 0, BYTES);
  }
}
