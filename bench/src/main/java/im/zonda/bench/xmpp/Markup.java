package im.zonda.bench.xmpp;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Looks into elements that are not parsed.
public final class Markup {
  private Markup() {}

  /// Whether the element begins with that text, in US-ASCII.
  public static boolean startsWith(byte[] bytes, int from, int to, String text) {
    return to - from >= text.length() && matches(bytes, from, text);
  }

  /// Where a text, in US-ASCII, begins in the element; -1 if it does not have it.
  public static int indexOf(byte[] bytes, int from, int to, String text) {
    byte first = (byte) text.charAt(0);
    for (int i = from; i <= to - text.length(); i++) {
      if (bytes[i] == first && matches(bytes, i, text)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean matches(byte[] bytes, int from, String text) {
    for (int i = 0; i < text.length(); i++) {
      if (bytes[from + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /// An attribute of the start tag of an element, as it is written; null if there is none.
  public static @Nullable String attribute(byte[] bytes, int from, int to, String name) {
    int at = from;
    while (at < to && bytes[at] > ' ' && bytes[at] != '>') {
      at++;
    }
    while (at < to && bytes[at] != '>') {
      while (at < to && (bytes[at] <= ' ' || bytes[at] == '/')) {
        at++;
      }
      int begin = at;
      while (at < to && bytes[at] != '=' && bytes[at] != '>') {
        at++;
      }
      if (at >= to - 1 || bytes[at] != '=') {
        return null;
      }
      int nameEnd = at;
      byte quote = bytes[++at];
      int value = ++at;
      while (at < to && bytes[at] != quote) {
        at++;
      }
      if (nameEnd - begin == name.length() && matches(bytes, begin, name)) {
        return new String(bytes, value, at - value, StandardCharsets.UTF_8);
      }
      at++;
    }
    return null;
  }

  /// An attribute of the start tag of an element, as it is written; null if there is none.
  public static @Nullable String attribute(String element, String name) {
    byte[] bytes = element.getBytes(StandardCharsets.UTF_8);
    return attribute(bytes, 0, bytes.length, name);
  }

  /// The text of the first child, or descendant, with that name; empty if there is none.
  public static String text(String element, String name) {
    int tag = element.indexOf("<" + name);
    int begin = tag < 0 ? -1 : element.indexOf('>', tag) + 1;
    int end = begin <= 0 ? -1 : element.indexOf("</" + name, begin);
    return end < 0 ? "" : element.substring(begin, end);
  }
}
