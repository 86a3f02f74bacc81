package im.zonda.stream;

import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.ByteSink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The XML form of a stream on TCP: its header, first-level elements and closing tag.
public final class StreamXml {
  private static final byte[] CLOSE = ascii("</stream:stream>");

  private StreamXml() {}

  /// Writes the server's stream header (RFC 6120, section 4.7).
  public static void writeOpen(StreamOpening opening, ByteSink sink) {
    StringBuilder tag = new StringBuilder(256);
    tag.append("<?xml version='1.0'?><stream:stream");
    attribute(tag, "xmlns", opening.namespace());
    attribute(tag, "xmlns:stream", Namespaces.STREAM);
    opening.prefixes().forEach((prefix, name) -> attribute(tag, "xmlns:" + prefix, name));
    attribute(tag, "id", opening.id());
    // Empty for a host that is not served (section 4.9.1.2).
    boolean receiving = opening.id() != null;
    attribute(tag, "from", opening.from() == null && receiving ? "" : opening.from());
    attribute(tag, "to", opening.to());
    attribute(tag, "xml:lang", opening.lang());
    attribute(tag, "version", opening.versioned() ? "1.0" : null);
    tag.append('>');
    sink.put(tag.toString().getBytes(StandardCharsets.UTF_8));
  }

  /// Writes a first-level element of a stream with that content namespace. Those of the stream
  /// namespace get the prefix `stream`, because there are clients that look for it.
  public static void writeElement(Element element, String namespace, ByteSink sink) {
    if (!element.name().namespace().equals(Namespaces.STREAM)) {
      XmlWriter.write(element, namespace, sink);
      return;
    }
    String name = element.name().name();
    sink.put(ascii("<stream:" + name + ">"));
    for (Element child : element.children()) {
      XmlWriter.write(child, namespace, sink);
    }
    sink.put(ascii("</stream:" + name + ">"));
  }

  /// Writes the closing tag.
  public static void writeClose(ByteSink sink) {
    sink.put(CLOSE);
  }

  /// A stream error (RFC 6120, section 4.9.2).
  public static Element error(
      StreamErrorCondition condition, @Nullable String text, @Nullable Element detail) {
    Element.Builder error = Element.builder(Namespaces.STREAM, "error");
    error.child(Element.of(Namespaces.STREAM_ERRORS, condition.elementName()));
    if (text != null) {
      error.child(
          Element.builder(Namespaces.STREAM_ERRORS, "text")
              .attribute(new QName(Namespaces.XML, "lang"), "en")
              .text(text)
              .build());
    }
    if (detail != null) {
      error.child(detail);
    }
    return error.build();
  }

  private static void attribute(StringBuilder tag, String name, @Nullable Object value) {
    if (value == null) {
      return;
    }
    tag.append(' ').append(name).append("='");
    String text = value.toString();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> tag.append("&amp;");
        case '<' -> tag.append("&lt;");
        case '>' -> tag.append("&gt;");
        case '\'' -> tag.append("&apos;");
        default -> tag.append(c);
      }
    }
    tag.append('\'');
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
