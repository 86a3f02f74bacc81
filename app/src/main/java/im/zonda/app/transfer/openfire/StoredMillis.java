package im.zonda.app.transfer.openfire;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Times as Openfire stores them: milliseconds since 1970, with zeros in front.
final class StoredMillis {
  private static final int DIGITS = 15;

  private StoredMillis() {}

  /// The time; null if there is none.
  static @Nullable Instant of(@Nullable String text) {
    String digits = text == null ? "" : text.strip();
    if (digits.isEmpty()
        || digits.length() > DIGITS
        || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return null;
    }
    return Instant.ofEpochMilli(Long.parseLong(digits));
  }
}
