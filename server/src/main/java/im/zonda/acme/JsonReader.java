package im.zonda.acme;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads JSON (RFC 8259) strictly: objects as maps, arrays as lists, strings, numbers as `Double`,
/// booleans, null.
final class JsonReader {
  private static final int MAX_DEPTH = 16;
  private static final String ESCAPES = "\"\\/bfnrt";
  private static final String ESCAPED = "\"\\/\b\f\n\r\t";

  private final String text;
  private int at;
  private int depth;

  private JsonReader(String text) {
    this.text = text;
  }

  /// Reads an object.
  ///
  /// @throws IllegalArgumentException if the text is none
  static Map<String, @Nullable Object> object(String text) {
    JsonReader reader = new JsonReader(text);
    Object value = reader.value();
    reader.skipSpace();
    if (reader.at < text.length() || !(value instanceof Map<?, ?> map)) {
      throw reader.error();
    }
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    map.forEach((name, member) -> members.put(String.valueOf(name), member));
    return members;
  }

  private @Nullable Object value() {
    skipSpace();
    return switch (peek()) {
      case '{' -> map();
      case '[' -> list();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, @Nullable Object> map() {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    enter();
    while (!ends('}', members.isEmpty())) {
      skipSpace();
      String name = string();
      skipSpace();
      take(':');
      members.put(name, value());
    }
    return members;
  }

  private List<@Nullable Object> list() {
    List<@Nullable Object> elements = new ArrayList<>();
    enter();
    while (!ends(']', elements.isEmpty())) {
      elements.add(value());
    }
    return elements;
  }

  private void enter() {
    at++;
    depth++;
    if (depth > MAX_DEPTH) {
      throw error();
    }
  }

  /// Whether the object or list ends here; otherwise passes the comma before its next part.
  private boolean ends(char end, boolean first) {
    skipSpace();
    if (peek() == end) {
      at++;
      depth--;
      return true;
    }
    if (!first) {
      take(',');
    }
    return false;
  }

  private String string() {
    take('"');
    StringBuilder found = new StringBuilder();
    while (peek() != '"') {
      char c = text.charAt(at++);
      if (c < ' ') {
        throw error();
      }
      found.append(c == '\\' ? escape() : c);
    }
    at++;
    return found.toString();
  }

  private char escape() {
    char c = peek();
    at++;
    if (c == 'u') {
      try {
        int end = Math.min(at + 4, text.length());
        char unit = (char) Integer.parseUnsignedInt(text, at, end, 16);
        at = end;
        return unit;
      } catch (NumberFormatException e) {
        throw error();
      }
    }
    int known = ESCAPES.indexOf(c);
    if (known < 0) {
      throw error();
    }
    return ESCAPED.charAt(known);
  }

  private Double number() {
    int start = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    try {
      return Double.valueOf(text.substring(start, at));
    } catch (NumberFormatException e) {
      throw error();
    }
  }

  private @Nullable Object word(String word, @Nullable Object value) {
    if (!text.startsWith(word, at)) {
      throw error();
    }
    at += word.length();
    return value;
  }

  private void take(char expected) {
    if (peek() != expected) {
      throw error();
    }
    at++;
  }

  private char peek() {
    if (at >= text.length()) {
      throw error();
    }
    return text.charAt(at);
  }

  private void skipSpace() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private IllegalArgumentException error() {
    return new IllegalArgumentException("no JSON at " + at);
  }
}
