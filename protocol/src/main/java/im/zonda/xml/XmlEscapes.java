package im.zonda.xml;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/// Writes text and values of attributes with the references that XML needs.
///
/// The usual form escapes `& < > " '` and what the normalisation of white space would change. The
/// compact form escapes what XML requires and no more.
final class XmlEscapes {
  private static final byte[] AMP = "&amp;".getBytes(US_ASCII);
  private static final byte[] LT = "&lt;".getBytes(US_ASCII);
  private static final byte[] GT = "&gt;".getBytes(US_ASCII);
  private static final byte[] QUOT = "&quot;".getBytes(US_ASCII);
  private static final byte[] APOS = "&apos;".getBytes(US_ASCII);
  private static final byte[] SHORT_QUOT = "&#34;".getBytes(US_ASCII);
  private static final byte[] SHORT_APOS = "&#39;".getBytes(US_ASCII);
  private static final byte[] TAB = "&#9;".getBytes(US_ASCII);
  private static final byte[] LF = "&#10;".getBytes(US_ASCII);
  private static final byte[] CR = "&#13;".getBytes(US_ASCII);

  private XmlEscapes() {}

  /// Writes character data.
  static void text(String text, boolean compact, ByteSink sink) {
    byte[] bytes = text.getBytes(UTF_8);
    if (compact) {
      compactText(bytes, sink);
    } else {
      escape(bytes, XmlChars.ESCAPE_TEXT, 0, sink);
    }
  }

  /// Writes the value of an attribute with its quotes.
  static void value(String value, boolean compact, ByteSink sink) {
    value(value.getBytes(UTF_8), compact, sink);
  }

  /// Writes the value of an attribute with its quotes, in the compact form if the usual one takes
  /// much more than necessary.
  static void value(String value, ByteSink sink) {
    boolean compact = WrittenSize.isMuchLonger(unnecessaryInValue(value), value.length());
    value(value.getBytes(UTF_8), compact, sink);
  }

  /// Writes the value of an attribute, given as UTF-8, with its quotes.
  static void value(byte[] utf8, boolean compact, ByteSink sink) {
    int quote = compact ? rarerQuote(utf8) : '\'';
    sink.put(quote);
    if (compact) {
      escape(utf8, XmlChars.ESCAPE_COMPACT_VALUE, quote, sink);
    } else {
      escape(utf8, XmlChars.ESCAPE_VALUE, 0, sink);
    }
    sink.put(quote);
  }

  /// The bytes by which the usual form of a text is longer than the compact one.
  static long unnecessaryInText(String text) {
    long more = 0;
    for (int i = text.indexOf('>'); i >= 0; i = text.indexOf('>', i + 1)) {
      more += GT.length - 1;
    }
    return more;
  }

  /// The bytes by which the usual form of a value is longer than the compact one.
  static long unnecessaryInValue(String value) {
    long more = 0;
    int apostrophes = 0;
    int quotes = 0;
    for (int i = 0; i < value.length(); i++) {
      switch (value.charAt(i)) {
        case '>' -> more += GT.length - 1;
        case '\'' -> apostrophes++;
        case '"' -> quotes++;
        default -> {}
      }
    }
    return more + (APOS.length - 1L) * Math.max(apostrophes, quotes);
  }

  // `]]>` is not allowed in text.
  private static void compactText(byte[] bytes, ByteSink sink) {
    int written = 0;
    for (int i = 0; i < bytes.length; i++) {
      int c = bytes[i];
      boolean endsSection = c == '>' && i >= 2 && bytes[i - 1] == ']' && bytes[i - 2] == ']';
      if (endsSection || c == '&' || c == '<' || c == '\r') {
        sink.put(bytes, written, i - written);
        sink.put(escaped(c));
        written = i + 1;
      }
    }
    sink.put(bytes, written, bytes.length - written);
  }

  private static int rarerQuote(byte[] bytes) {
    int balance = 0;
    for (byte b : bytes) {
      if (b == '\'') {
        balance++;
      } else if (b == '"') {
        balance--;
      }
    }
    return balance > 0 ? '"' : '\'';
  }

  private static void escape(byte[] bytes, int flag, int quote, ByteSink sink) {
    int written = 0;
    for (int i = 0; i < bytes.length; i++) {
      int c = bytes[i];
      if (c >= 0 && (c == quote || (XmlChars.flags(c) & flag) != 0)) {
        sink.put(bytes, written, i - written);
        sink.put(c != quote ? escaped(c) : c == '"' ? SHORT_QUOT : SHORT_APOS);
        written = i + 1;
      }
    }
    sink.put(bytes, written, bytes.length - written);
  }

  private static byte[] escaped(int c) {
    return switch (c) {
      case '&' -> AMP;
      case '<' -> LT;
      case '>' -> GT;
      case '"' -> QUOT;
      case '\'' -> APOS;
      case '\t' -> TAB;
      case '\n' -> LF;
      default -> CR;
    };
  }
}
