package im.zonda.stream;

import org.jspecify.annotations.Nullable;

/// Language tags of streams.
final class StreamLang {
  private static final int MAX_LENGTH = 35;

  private StreamLang() {}

  /// The tag if it has the form of one (RFC 5646), else null.
  static @Nullable String checked(@Nullable String tag) {
    if (tag == null || tag.isEmpty() || tag.length() > MAX_LENGTH) {
      return null;
    }
    boolean wellFormed = tag.chars().allMatch(c -> c == '-' || isLetterOrDigit(c));
    return wellFormed ? tag : null;
  }

  private static boolean isLetterOrDigit(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
}
