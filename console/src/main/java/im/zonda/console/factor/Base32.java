package im.zonda.console.factor;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Base32 without padding (RFC 4648, section 6), which people can type.
final class Base32 {
  private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  private static final int BITS = 5;

  private Base32() {}

  static String encode(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    int buffer = 0;
    int bits = 0;
    for (byte each : bytes) {
      buffer = (buffer << Byte.SIZE) | (each & 0xff);
      bits += Byte.SIZE;
      while (bits >= BITS) {
        bits -= BITS;
        text.append(ALPHABET.charAt((buffer >> bits) & 31));
      }
      buffer &= (1 << bits) - 1;
    }
    if (bits > 0) {
      text.append(ALPHABET.charAt((buffer << (BITS - bits)) & 31));
    }
    return text.toString();
  }

  /// A text as people type it without what is for the eye: upper-case letters and digits; null if
  /// there is anything else in it than Base32.
  static @Nullable String typed(String text) {
    String plain = text.replaceAll("[\\s-]", "").toUpperCase(Locale.ROOT);
    return plain.chars().allMatch(c -> ALPHABET.indexOf(c) >= 0) ? plain : null;
  }
}
