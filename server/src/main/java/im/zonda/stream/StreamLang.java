package im.zonda.stream;

import org.jspecify.annotations.Nullable;

/// Language tags of streams (RFC 6120, section 4.7.4).
public final class StreamLang {
  private static final int MAX_LENGTH = 35;

  /// The language of the texts that the server writes.
  private static final String ENGLISH = "en";

  private StreamLang() {}

  /// The language of the server's stream for a client that prefers `tag`, or nothing (RFC 6120,
  /// section 4.7.4): the client's kind of English, or just English.
  public static String ofServer(@Nullable String tag) {
    if (tag == null) {
      return ENGLISH;
    }
    int end = tag.indexOf('-');
    return ENGLISH.equalsIgnoreCase(end < 0 ? tag : tag.substring(0, end)) ? tag : ENGLISH;
  }

  /// The tag if it is well-formed (RFC 5646), otherwise null.
  public static @Nullable String checked(@Nullable String tag) {
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
