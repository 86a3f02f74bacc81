package im.zonda.stream;

import im.zonda.stanza.Namespaces;
import im.zonda.xml.ByteSink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.charset.StandardCharsets;

/// The XML form of a stream's header and end on a WebSocket (RFC 7395, section 3.3): elements of
/// their own in place of one tag around the stream.
public final class FramedXml {
  /// The namespace of `<open/>` and `<close/>`.
  public static final String NAMESPACE = "urn:ietf:params:xml:ns:xmpp-framing";

  private static final byte[] END = "</stream:stream>".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] CLOSE =
      ("<close xmlns='" + NAMESPACE + "'/>").getBytes(StandardCharsets.US_ASCII);

  private FramedXml() {}

  /// The stream header that says the same as a peer's `<open/>`: what a [ByteStream] reads.
  public static byte[] header(Element open) {
    StringBuilder tag = new StringBuilder(256);
    tag.append("<stream:stream");
    StreamXml.attribute(tag, "xmlns", Namespaces.CLIENT);
    StreamXml.attribute(tag, "xmlns:stream", Namespaces.STREAM);
    for (String name : new String[] {"from", "to", "id", "version"}) {
      StreamXml.attribute(tag, name, open.attribute(name));
    }
    StreamXml.attribute(tag, "xml:lang", open.attribute(new QName(Namespaces.XML, "lang")));
    return tag.append('>').toString().getBytes(StandardCharsets.UTF_8);
  }

  /// What the peer's `<close/>` is for a [ByteStream].
  public static byte[] end() {
    return END.clone();
  }

  /// Writes the server's header.
  public static void writeOpen(StreamOpening opening, ByteSink sink) {
    StringBuilder tag = new StringBuilder(256);
    tag.append("<open");
    StreamXml.attribute(tag, "xmlns", NAMESPACE);
    StreamXml.attribute(tag, "id", opening.id());
    StreamXml.attribute(tag, "from", opening.from() == null ? "" : opening.from());
    StreamXml.attribute(tag, "to", opening.to());
    StreamXml.attribute(tag, "xml:lang", opening.lang());
    StreamXml.attribute(tag, "version", opening.versioned() ? "1.0" : null);
    sink.put(tag.append("/>").toString().getBytes(StandardCharsets.UTF_8));
  }

  /// Writes the end of the server's stream.
  public static void writeClose(ByteSink sink) {
    sink.put(CLOSE);
  }
}
