package im.zonda.stream;

import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.ByteSink;
import im.zonda.xml.Element;
import im.zonda.xml.Node;
import im.zonda.xml.QName;
import im.zonda.xml.Text;
import im.zonda.xml.XmlNamespaces;
import im.zonda.xml.XmlWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The XML form of a stream on TCP: its header, first-level elements and closing tag.
public final class StreamXml {
  /// The namespace of server dialback (XEP-0220), whose elements are written with the prefix `db`.
  public static final String DIALBACK = "jabber:server:dialback";

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
  /// namespace get the prefix `stream`, and between servers, whose headers declare it, those of
  /// dialback `db`, because there are peers that look for them.
  public static void writeElement(Element element, String namespace, ByteSink sink) {
    // Whatever the stream's content namespace is called, the server's elements are in the client's.
    String inherited = XmlNamespaces.isContent(namespace) ? Namespaces.CLIENT : namespace;
    String prefix =
        switch (element.name().namespace()) {
          case Namespaces.STREAM -> "stream:";
          case DIALBACK -> namespace.equals(Namespaces.SERVER) ? "db:" : "";
          default -> "";
        };
    if (prefix.isEmpty() || hasPrefixedAttributes(element)) {
      XmlWriter.write(element, inherited, sink);
    } else {
      writePrefixed(prefix, element, inherited, sink);
    }
  }

  private static boolean hasPrefixedAttributes(Element element) {
    return element.attributes().keySet().stream().anyMatch(each -> !each.namespace().isEmpty());
  }

  private static void writePrefixed(
      String prefix, Element element, String inherited, ByteSink sink) {
    String name = prefix + element.name().name();
    StringBuilder tag = new StringBuilder("<").append(name);
    element.attributes().forEach((attribute, value) -> attribute(tag, attribute.name(), value));
    sink.put(tag.append('>').toString().getBytes(StandardCharsets.UTF_8));
    for (Node node : element.nodes()) {
      switch (node) {
        case Element child -> XmlWriter.write(child, inherited, sink);
        case Text text -> XmlWriter.writeText(text.value(), sink);
      }
    }
    sink.put(ascii("</" + name + ">"));
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

  static void attribute(StringBuilder tag, String name, @Nullable Object value) {
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
