package im.zonda.jid;

import java.util.Map;

/// The escaping of characters that a local part cannot have (XEP-0106).
public final class JidEscaping {
  private static final int LENGTH = 3;

  private static final Map<String, Character> CHARACTERS =
      Map.of(
          "\\20", ' ',
          "\\22", '"',
          "\\26", '&',
          "\\27", '\'',
          "\\2f", '/',
          "\\3a", ':',
          "\\3c", '<',
          "\\3e", '>',
          "\\40", '@',
          "\\5c", '\\');

  private JidEscaping() {}

  /// The local part as it is shown to people. The result is no address.
  public static String unescape(String local) {
    if (local.indexOf('\\') < 0) {
      return local;
    }
    StringBuilder shown = new StringBuilder(local.length());
    int at = 0;
    while (at < local.length()) {
      Character escaped =
          at + LENGTH <= local.length() ? CHARACTERS.get(local.substring(at, at + LENGTH)) : null;
      shown.append(escaped == null ? local.charAt(at) : escaped.charValue());
      at += escaped == null ? 1 : LENGTH;
    }
    return shown.toString();
  }
}
