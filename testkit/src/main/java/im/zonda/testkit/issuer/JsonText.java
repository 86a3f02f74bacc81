package im.zonda.testkit.issuer;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// JSON of maps, lists, texts, numbers and truth values.
public final class JsonText {
  private JsonText() {}

  /// The text of a value.
  public static String of(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(each -> of(each.getKey()) + ":" + of(each.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
      case List<?> list ->
          list.stream().map(JsonText::of).collect(Collectors.joining(",", "[", "]"));
      case String text -> '"' + escaped(text) + '"';
      case Object other -> other.toString();
    };
  }

  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    text.chars()
        .forEach(each -> {
          if (each < ' ' || each == '"' || each == '\\' || each > 0x7e) {
            escaped.append(String.format(Locale.ROOT, "\\u%04x", each));
          } else {
            escaped.append((char) each);
          }
        });
    return escaped.toString();
  }
}
