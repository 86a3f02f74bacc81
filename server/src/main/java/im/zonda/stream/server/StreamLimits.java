package im.zonda.stream.server;

import im.zonda.xml.Element;
import im.zonda.xml.QName;
import org.jspecify.annotations.Nullable;

/// The limits that another server announces (XEP-0478).
final class StreamLimits {
  static final String NAMESPACE = "urn:xmpp:stream-limits:0";
  private static final QName LIMITS = new QName(NAMESPACE, "limits");
  private static final QName MAX_BYTES = new QName(NAMESPACE, "max-bytes");

  private StreamLimits() {}

  /// The most bytes of a stanza that these features, or this `<bidi/>`, announce;
  /// [Integer#MAX_VALUE] if they announce none.
  static int maxBytes(Element parent) {
    Element limits = parent.child(LIMITS);
    Element bytes = limits == null ? null : limits.child(MAX_BYTES);
    return bytes == null ? Integer.MAX_VALUE : positive(bytes.text().strip());
  }

  private static int positive(@Nullable String text) {
    try {
      int value = text == null ? 0 : Integer.parseInt(text);
      return value > 0 ? value : Integer.MAX_VALUE;
    } catch (NumberFormatException e) {
      return Integer.MAX_VALUE;
    }
  }
}
