package im.zonda.app.browser;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads what a browser says, which is valid JSON (RFC 8259): objects become maps, arrays lists,
/// and numbers doubles.
final class JsonReader {
  private final String text;
  private int at;

  private JsonReader(String text) {
    this.text = text;
  }

  /// The object that a text is.
  static Map<String, @Nullable Object> object(String text) {
    return asObject(new JsonReader(text).value());
  }

  /// A value as an object; empty if it is null.
  @SuppressWarnings("unchecked") // keys of JSON objects are texts
  static Map<String, @Nullable Object> asObject(@Nullable Object value) {
    return value == null ? Map.of() : (Map<String, @Nullable Object>) value;
  }

  /// A text as JSON.
  static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == '"' || c == '\\') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  private @Nullable Object value() {
    char first = next();
    return switch (first) {
      case '{' -> members();
      case '[' -> elements();
      case '"' -> string();
      default -> word();
    };
  }

  /// Skips white space, commas and colons, and takes the character behind them.
  private char next() {
    while (" \t\r\n,:".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    return text.charAt(at++);
  }

  private Map<String, @Nullable Object> members() {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    while (next() != '}') {
      String name = string();
      members.put(name, value());
    }
    return members;
  }

  private List<@Nullable Object> elements() {
    List<@Nullable Object> elements = new ArrayList<>();
    while (next() != ']') {
      at--;
      elements.add(value());
    }
    return elements;
  }

  private String string() {
    StringBuilder string = new StringBuilder();
    for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
      if (c != '\\') {
        string.append(c);
        continue;
      }
      char escaped = text.charAt(at++);
      switch (escaped) {
        case 'n' -> string.append('\n');
        case 't' -> string.append('\t');
        case 'r' -> string.append('\r');
        case 'b' -> string.append('\b');
        case 'f' -> string.append('\f');
        case 'u' -> {
          string.append((char) Integer.parseInt(text, at, at + 4, 16));
          at += 4;
        }
        default -> string.append(escaped);
      }
    }
    return string.toString();
  }

  private @Nullable Object word() {
    int from = --at;
    while (at < text.length() && ",]} \r\n".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    String word = text.substring(from, at);
    return switch (word) {
      case "true" -> true;
      case "false" -> false;
      case "null" -> null;
      default -> Double.valueOf(word);
    };
  }
}
