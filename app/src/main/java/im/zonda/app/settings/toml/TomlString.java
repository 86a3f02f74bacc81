package im.zonda.app.settings.toml;

import java.util.Locale;

/// Texts as TOML.
public final class TomlString {
  /// What is written in place of a secret.
  public static final String HIDDEN = "\"(not shown)\"";

  private TomlString() {}

  /// The text as a TOML string.
  public static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20 || c == 0x7f) {
        out.append(String.format(Locale.ROOT, "\\u%04X", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
