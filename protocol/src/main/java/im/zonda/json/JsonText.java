package im.zonda.json;

import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// Writes JSON.
public final class JsonText {
  private JsonText() {}

  /// A value as JSON in one line: null, a number, a boolean, a map, a list; anything else as a
  /// string.
  public static String of(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Number number -> number.toString();
      case Boolean flag -> flag.toString();
      case Map<?, ?> map -> {
        StringJoiner members = new StringJoiner(",", "{", "}");
        map.forEach((name, member) -> members.add(quote(name.toString()) + ":" + of(member)));
        yield members.toString();
      }
      case List<?> list -> {
        StringJoiner elements = new StringJoiner(",", "[", "]");
        list.forEach(element -> elements.add(of(element)));
        yield elements.toString();
      }
      default -> quote(value.toString());
    };
  }

  /// The same for people: each member and element on a line of its own.
  public static String indented(@Nullable Object value) {
    return indented(value, "\n") + "\n";
  }

  /// @param line what begins a line
  private static String indented(@Nullable Object value, String line) {
    String deeper = line + "  ";
    return switch (value) {
      case Map<?, ?> map when !map.isEmpty() -> {
        StringJoiner members = new StringJoiner("," + deeper, "{" + deeper, line + "}");
        map.forEach((name, member) ->
            members.add(quote(name.toString()) + ": " + indented(member, deeper)));
        yield members.toString();
      }
      case List<?> list when list.stream().anyMatch(JsonText::isLong) -> {
        StringJoiner elements = new StringJoiner("," + deeper, "[" + deeper, line + "]");
        list.forEach(element -> elements.add(indented(element, deeper)));
        yield elements.toString();
      }
      case List<?> list -> of(list).replace("\",\"", "\", \"");
      case null, default -> of(value);
    };
  }

  private static boolean isLong(@Nullable Object value) {
    return value instanceof Map<?, ?> || value instanceof List<?>;
  }

  /// A string. What moves a terminal's cursor or changes the reading direction is escaped too.
  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (isUnprintable(c)) {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  private static boolean isUnprintable(char c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
