package im.zonda.net.bosh;

import im.zonda.hash.HashFunction;
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
    if (key == null || !HashFunction.SHA_1.hex(key).equals(expected)) {
      return false;
    }
    String other = lower(request.attribute("newkey"));
    expected = other == null ? lower(key) : other;
    return true;
  }

  private static @Nullable String lower(@Nullable String key) {
    return key == null ? null : key.toLowerCase(Locale.ROOT);
  }
}
