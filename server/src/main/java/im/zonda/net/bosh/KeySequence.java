package im.zonda.net.bosh;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The keys by which a client without TLS proves that a request is its own (XEP-0124, section 15).
final class KeySequence {
  /// The hash of the next key, in lower case; null if there are no keys.
  private @Nullable String expected;

  /// Takes the key of the request that has created the session.
  void begin(BoshRequest first) {
    expected = lower(first.attribute("newkey"));
  }

  /// Whether a request is the client's; to be called once for each, in their order.
  boolean accepts(BoshRequest request) {
    if (expected == null) {
      return true;
    }
    String key = request.attribute("key");
    if (key == null || !sha1(key).equals(expected)) {
      return false;
    }
    String other = lower(request.attribute("newkey"));
    expected = other == null ? lower(key) : other;
    return true;
  }

  private static @Nullable String lower(@Nullable String key) {
    return key == null ? null : key.toLowerCase(Locale.ROOT);
  }

  private static String sha1(String key) {
    try {
      MessageDigest hash = MessageDigest.getInstance("SHA-1");
      return HexFormat.of().formatHex(hash.digest(key.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no SHA-1", e);
    }
  }
}
