package im.zonda.xml.framing;

/// Strict UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
final class Utf8 {
  /// Result for a character that is incomplete; its bytes so far are valid.
  static final int INCOMPLETE = -1;

  /// Result for bytes that are not UTF-8.
  static final int MALFORMED = -2;

  private Utf8() {}

  /// Decodes the multi-byte character at `position`. Returns its code point, [#INCOMPLETE] or
  /// [#MALFORMED]. The first byte must not be ASCII.
  static int decode(byte[] bytes, int position, int end) {
    int lead = bytes[position] & 0xFF;
    int length = length(lead);
    if (length == 0) {
      return MALFORMED;
    }
    if (position + 1 >= end) {
      return INCOMPLETE;
    }
    int second = bytes[position + 1] & 0xFF;
    if (!validSecond(lead, second)) {
      return MALFORMED;
    }
    int codePoint = ((lead & (0x7F >> length)) << 6) | (second & 0x3F);
    for (int i = 2; i < length; i++) {
      if (position + i >= end) {
        return INCOMPLETE;
      }
      int next = bytes[position + i];
      if ((next & 0xC0) != 0x80) {
        return MALFORMED;
      }
      codePoint = (codePoint << 6) | (next & 0x3F);
    }
    return codePoint;
  }

  /// The number of bytes of a code point above U+007F.
  static int size(int codePoint) {
    return codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }

  /// Writes a code point to `bytes` and returns the position after it.
  static int encode(int codePoint, byte[] bytes, int position) {
    int at = position;
    if (codePoint < 0x80) {
      bytes[at++] = (byte) codePoint;
      return at;
    }
    if (codePoint < 0x800) {
      bytes[at++] = (byte) (0xC0 | (codePoint >> 6));
    } else {
      if (codePoint < 0x10000) {
        bytes[at++] = (byte) (0xE0 | (codePoint >> 12));
      } else {
        bytes[at++] = (byte) (0xF0 | (codePoint >> 18));
        bytes[at++] = (byte) (0x80 | ((codePoint >> 12) & 0x3F));
      }
      bytes[at++] = (byte) (0x80 | ((codePoint >> 6) & 0x3F));
    }
    bytes[at++] = (byte) (0x80 | (codePoint & 0x3F));
    return at;
  }

  private static int length(int lead) {
    if (lead < 0xC2) {
      return 0;
    }
    return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  }

  // The second byte alone distinguishes overlong forms, surrogates and values above U+10FFFF.
  private static boolean validSecond(int lead, int second) {
    if ((second & 0xC0) != 0x80) {
      return false;
    }
    return switch (lead) {
      case 0xE0 -> second >= 0xA0;
      case 0xED -> second <= 0x9F;
      case 0xF0 -> second >= 0x90;
      case 0xF4 -> second <= 0x8F;
      default -> true;
    };
  }
}
