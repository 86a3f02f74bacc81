package im.zonda.stanza;

import im.zonda.xml.XmlException;
import im.zonda.xml.framing.XmlParser;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The start tag of a stanza that cannot be read as a whole.
final class StartTag {
  private StartTag() {}

  /// The attributes at the beginning of the start tag, as far as they can be read.
  static Map<String, String> attributes(String xml) {
    Map<String, String> found = new HashMap<>();
    int at = xml.indexOf(' ');
    while (at >= 0 && at < xml.length() && xml.charAt(at) <= ' ') {
      int equals = xml.indexOf('=', at);
      char quote = equals < 0 || equals + 1 >= xml.length() ? ' ' : xml.charAt(equals + 1);
      int close = quote == '\'' || quote == '"' ? xml.indexOf(quote, equals + 2) : -1;
      String value = close < 0 ? null : value(xml.substring(equals + 1, close + 1));
      if (value != null) {
        found.putIfAbsent(xml.substring(at + 1, equals), value);
      }
      at = close < 0 ? -1 : close + 1;
    }
    return found;
  }

  /// The value between quotes, which may have entities; null if it cannot be read.
  private static @Nullable String value(String quoted) {
    try {
      return XmlParser.parse("<a v=" + quoted + "/>").attribute("v");
    } catch (XmlException e) {
      return null;
    }
  }
}
