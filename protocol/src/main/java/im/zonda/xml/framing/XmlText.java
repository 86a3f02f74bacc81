package im.zonda.xml.framing;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.xml.XmlChars;
import java.util.Arrays;

/// Converts character data of checked XML bytes to strings: references, line ends, attribute
/// normalisation.
final class XmlText {
  private XmlText() {}

  /// Resolves the reference with the name `bytes[from, to)`, without `&` and `;`, to its code
  /// point.
  ///
  /// @return -1 if it is neither one of the five predefined entities nor the number of a character
  ///   that XML allows
  static int reference(byte[] bytes, int from, int to) {
    if (to - from > 1 && bytes[from] == '#') {
      return bytes[from + 1] == 'x'
          ? number(bytes, from + 2, to, 16)
          : number(bytes, from + 1, to, 10);
    }
    int length = to - from;
    if (length == 2 && bytes[from + 1] == 't') {
      return bytes[from] == 'l' ? '<' : bytes[from] == 'g' ? '>' : -1;
    }
    if (length == 3 && bytes[from] == 'a' && bytes[from + 1] == 'm' && bytes[from + 2] == 'p') {
      return '&';
    }
    if (length == 4) {
      if (matches(bytes, from, "quot")) {
        return '"';
      }
      return matches(bytes, from, "apos") ? '\'' : -1;
    }
    return -1;
  }

  /// The text of `bytes[from, to)`, references resolved and line ends normalised.
  static String text(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] == '&' || bytes[i] == '\r') {
        return resolve(bytes, from, to, i, false);
      }
    }
    return new String(bytes, from, to - from, UTF_8);
  }

  /// The value of an attribute, references resolved and white space normalised.
  static String value(byte[] bytes, int from, int to) {
    int plain = plainEnd(bytes, from, to);
    return plain == to
        ? new String(bytes, from, to - from, UTF_8)
        : resolve(bytes, from, to, plain, true);
  }

  /// Whether the value of an attribute equals its bytes.
  static boolean isPlainValue(byte[] bytes, int from, int to) {
    return plainEnd(bytes, from, to) == to;
  }

  /// The text of a CDATA section's content: only line ends are normalised.
  static String cdata(byte[] bytes, int from, int to) {
    byte[] out = new byte[to - from];
    int size = 0;
    for (int i = from; i < to; i++) {
      if (bytes[i] != '\r') {
        out[size++] = bytes[i];
      } else if (i + 1 == to || bytes[i + 1] != '\n') {
        out[size++] = '\n';
      }
    }
    return new String(out, 0, size, UTF_8);
  }

  private static int plainEnd(byte[] bytes, int from, int to) {
    int i = from;
    while (i < to && bytes[i] != '&' && (bytes[i] < 0 || bytes[i] >= 0x20)) {
      i++;
    }
    return i;
  }

  // A reference is never shorter than its character in UTF-8, so the copy cannot overflow.
  private static String resolve(byte[] bytes, int from, int to, int plain, boolean attribute) {
    byte[] out = Arrays.copyOfRange(bytes, from, to);
    int size = plain - from;
    for (int i = plain; i < to; i++) {
      byte c = bytes[i];
      if (c == '&') {
        int end = i + 1;
        while (bytes[end] != ';') {
          end++;
        }
        size = Utf8.encode(reference(bytes, i + 1, end), out, size);
        i = end;
      } else if (c == '\r') {
        if (i + 1 == to || bytes[i + 1] != '\n') {
          out[size++] = (byte) (attribute ? ' ' : '\n');
        }
      } else {
        out[size++] = attribute && (c == '\n' || c == '\t') ? (byte) ' ' : c;
      }
    }
    return new String(out, 0, size, UTF_8);
  }

  private static int number(byte[] bytes, int from, int to, int radix) {
    if (from >= to) {
      return -1;
    }
    int value = 0;
    for (int i = from; i < to; i++) {
      int digit = bytes[i] < 0 ? -1 : Character.digit(bytes[i], radix);
      if (digit < 0) {
        return -1;
      }
      value = value * radix + digit;
      if (value > 0x10FFFF) {
        return -1;
      }
    }
    return XmlChars.isChar(value) ? value : -1;
  }

  private static boolean matches(byte[] bytes, int from, String expected) {
    for (int i = 0; i < expected.length(); i++) {
      if (bytes[from + i] != expected.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
