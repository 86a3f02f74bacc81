package im.zonda.app.load.client;

import org.jspecify.annotations.Nullable;

/// Reads attributes from the text of a tag.
public final class Attributes {
  private Attributes() {}

  /// The raw value of the first attribute with that name; null if there is none.
  public static @Nullable String of(String tag, String name) {
    for (int at = tag.indexOf(name + "="); at > 0; at = tag.indexOf(name + "=", at + 1)) {
      int value = at + name.length() + 2;
      if (Character.isWhitespace(tag.charAt(at - 1)) && value <= tag.length()) {
        int end = tag.indexOf(tag.charAt(value - 1), value);
        return end < 0 ? null : tag.substring(value, end);
      }
    }
    return null;
  }
}
