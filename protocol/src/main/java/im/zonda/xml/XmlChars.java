package im.zonda.xml;

import java.nio.charset.StandardCharsets;

/// Character classes of XML 1.0 (fifth edition), for bytes and code points.
public final class XmlChars {
  /// Ends a run of plain text: `<`, `&`, `]`, a control character.
  public static final int TEXT_STOP = 1;

  /// Ends a run of plain attribute value: `<`, `&`, a quote, a control character.
  public static final int VALUE_STOP = 2;

  /// Allowed in a name (without the colon).
  public static final int NAME = 4;

  /// Allowed at the start of a name (without the colon).
  public static final int NAME_START = 8;

  /// Space, tab, carriage return, line feed.
  static final int SPACE = 16;

  /// Must be escaped by the serialiser in text.
  static final int ESCAPE_TEXT = 32;

  /// Must be escaped by the serialiser in attribute values.
  static final int ESCAPE_VALUE = 64;

  /// Must be escaped in attribute values, besides the quote that surrounds the value.
  static final int ESCAPE_COMPACT_VALUE = 128;

  private static final byte[] FLAGS = flags();

  private XmlChars() {}

  /// The classes of an ASCII byte, a value of 0 to 127.
  public static int flags(int ascii) {
    return FLAGS[ascii & 0x7F];
  }

  /// Whether `value` is an ASCII white-space byte of XML.
  public static boolean isSpace(int value) {
    return value == ' ' || value == '\n' || value == '\r' || value == '\t';
  }

  /// Production `Char` of XML 1.0.
  public static boolean isChar(int codePoint) {
    if (codePoint < 0x20) {
      return codePoint == '\t' || codePoint == '\n' || codePoint == '\r';
    }
    return codePoint <= 0xD7FF
        || (codePoint >= 0xE000 && codePoint <= 0xFFFD)
        || (codePoint >= 0x10000 && codePoint <= 0x10FFFF);
  }

  /// Production `NameStartChar` of XML 1.0, without the colon.
  public static boolean isNameStart(int c) {
    if (c < 0x80) {
      return c >= 0 && (FLAGS[c] & NAME_START) != 0;
    }
    if (c >= 0xC0 && c <= 0x2FF) {
      return c != 0xD7 && c != 0xF7;
    }
    return (c >= 0x370 && c <= 0x1FFF && c != 0x37E)
        || (c >= 0x200C && c <= 0x200D)
        || (c >= 0x2070 && c <= 0x218F)
        || (c >= 0x2C00 && c <= 0x2FEF)
        || (c >= 0x3001 && c <= 0xD7FF)
        || (c >= 0xF900 && c <= 0xFDCF)
        || (c >= 0xFDF0 && c <= 0xFFFD)
        || (c >= 0x10000 && c <= 0xEFFFF);
  }

  /// Production `NameChar` of XML 1.0, without the colon.
  public static boolean isName(int c) {
    if (c < 0x80) {
      return c >= 0 && (FLAGS[c] & NAME) != 0;
    }
    return isNameStart(c)
        || c == 0xB7
        || (c >= 0x300 && c <= 0x36F)
        || (c >= 0x203F && c <= 0x2040);
  }

  /// Returns `text` if all its characters are allowed in XML.
  ///
  /// @throws IllegalArgumentException if one is not, or is half of a surrogate pair
  static String requireChars(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x20 && c < 0xD800) {
        continue;
      }
      int codePoint = text.codePointAt(i);
      if (!isChar(codePoint)) {
        throw new IllegalArgumentException(
            "not a character of XML: U+" + Integer.toHexString(codePoint));
      }
      if (codePoint > 0xFFFF) {
        i++;
      }
    }
    return text;
  }

  /// Returns `name` if it is a name without a colon (`NCName`).
  ///
  /// @throws IllegalArgumentException if it is not
  static String requireName(String name) {
    boolean valid = !name.isEmpty() && isNameStart(name.codePointAt(0));
    for (int i = 0; valid && i < name.length(); ) {
      int codePoint = name.codePointAt(i);
      valid = isName(codePoint);
      i += Character.charCount(codePoint);
    }
    if (!valid) {
      throw new IllegalArgumentException("not a name of XML");
    }
    return name;
  }

  private static byte[] flags() {
    byte[] flags = new byte[128];
    for (int c = 0; c < 0x20; c++) {
      if (c != '\t' && c != '\n' && c != '\r') {
        flags[c] |= TEXT_STOP | VALUE_STOP;
      }
    }
    mark(flags, "<&]", TEXT_STOP);
    mark(flags, "<&'\"", VALUE_STOP);
    mark(flags, " \t\r\n", SPACE);
    mark(flags, "&<>\r", ESCAPE_TEXT);
    mark(flags, "&<>\"'\t\r\n", ESCAPE_VALUE);
    mark(flags, "&<\t\r\n", ESCAPE_COMPACT_VALUE);
    mark(flags, "0123456789-.", NAME);
    for (int c = 'a'; c <= 'z'; c++) {
      flags[c] |= NAME | NAME_START;
      flags[c - 'a' + 'A'] |= NAME | NAME_START;
    }
    flags['_'] |= NAME | NAME_START;
    return flags;
  }

  private static void mark(byte[] flags, String members, int flag) {
    for (byte member : members.getBytes(StandardCharsets.US_ASCII)) {
      flags[member] |= (byte) flag;
    }
  }
}
