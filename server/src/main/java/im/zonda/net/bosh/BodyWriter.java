package im.zonda.net.bosh;

import im.zonda.stanza.Namespaces;
import im.zonda.xml.ByteArraySink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes one `<body/>`.
final class BodyWriter {
  private final StringBuilder attributes = new StringBuilder(128);
  private final List<Payload> payloads = new ArrayList<>();
  private boolean prefixed;
  private boolean xbosh;
  private int size;

  /// Adds an attribute; none if the value is null.
  BodyWriter attribute(String name, @Nullable Object value) {
    if (value != null) {
      attributes.append(' ').append(name).append("='");
      escape(value.toString());
      attributes.append('\'');
    }
    return this;
  }

  private void escape(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '&' -> attributes.append("&amp;");
        case '<' -> attributes.append("&lt;");
        case '\'' -> attributes.append("&apos;");
        default -> attributes.append(c);
      }
    }
  }

  /// Adds an attribute of XEP-0206.
  BodyWriter xmpp(String name, String value) {
    xbosh = true;
    return attribute("xmpp:" + name, value);
  }

  /// Ends the session.
  ///
  /// @param condition why; null without an error
  BodyWriter terminate(@Nullable BoshCondition condition) {
    attribute("type", "terminate");
    return attribute("condition", condition == null ? null : condition.attribute());
  }

  /// Asks the client to send its requests again that have no response (section 17.3).
  BodyWriter recoverableError() {
    return attribute("type", "error");
  }

  BodyWriter payload(Payload payload) {
    payloads.add(payload);
    prefixed |= payload.prefixed();
    size += payload.size();
    return this;
  }

  /// The bytes of the payloads.
  int size() {
    return size;
  }

  byte[] toBytes() {
    ByteArraySink sink = new ByteArraySink(256 + size);
    text(sink, "<body xmlns='" + BoshRequest.NAMESPACE + "'");
    text(sink, xbosh ? " xmlns:xmpp='" + BoshRequest.XBOSH + "'" : "");
    text(sink, prefixed ? " xmlns:stream='" + Namespaces.STREAM + "'" : "");
    text(sink, attributes.toString());
    if (payloads.isEmpty()) {
      text(sink, "/>");
    } else {
      text(sink, ">");
      payloads.forEach(each -> sink.put(each.xml(), 0, each.size()));
      text(sink, "</body>");
    }
    return sink.toByteArray();
  }

  private static void text(ByteArraySink sink, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    sink.put(bytes, 0, bytes.length);
  }
}
