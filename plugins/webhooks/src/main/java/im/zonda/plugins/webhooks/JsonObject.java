package im.zonda.plugins.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Writes one JSON object in one line.
final class JsonObject {
  private final StringBuilder text = new StringBuilder(256).append('{');

  /// Adds a text; nothing if it is null.
  JsonObject with(String name, @Nullable String value) {
    if (value != null) {
      name(name);
      quote(value);
    }
    return this;
  }

  /// Adds a number.
  JsonObject with(String name, long value) {
    name(name);
    text.append(value);
    return this;
  }

  /// Adds true.
  JsonObject withTrue(String name) {
    name(name);
    text.append("true");
    return this;
  }

  private void name(String name) {
    if (text.length() > 1) {
      text.append(',');
    }
    quote(name);
    text.append(':');
  }

  private void quote(String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ' || c == 0x7f || c == 0x2028 || c == 0x2029) {
        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }

  byte[] bytes() {
    return toString().getBytes(UTF_8);
  }

  @Override
  public String toString() {
    return text + "}";
  }
}
