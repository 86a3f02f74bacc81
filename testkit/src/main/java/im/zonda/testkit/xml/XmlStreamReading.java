package im.zonda.testkit.xml;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/// Reads one XML stream that need not end: its root's opening tag, then one child after the other.
///
/// It is the JDK's own parser, so that the server's output is judged by someone else than its
/// author. Blocks as the input does. Not thread-safe.
public final class XmlStreamReading {
  private final XMLStreamReader reader;

  /// Reads from `in` from its next byte on.
  ///
  /// @throws XMLStreamException if the input does not begin like XML
  public XmlStreamReading(InputStream in) throws XMLStreamException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
    this.reader = factory.createXMLStreamReader(in, "UTF-8");
  }

  /// Reads the opening tag of the root.
  ///
  /// @throws XMLStreamException if there is none
  public XmlElement readRoot() throws XMLStreamException {
    while (reader.next() != XMLStreamConstants.START_ELEMENT) {
      // Nothing but white space may stand here, and the parser sees to it.
    }
    return new XmlElement(reader.getName(), attributes(), List.of(), "");
  }

  /// Reads the next child of the root; null once the root is closed.
  ///
  /// @throws XMLStreamException if the input is not XML, or ends early
  public @Nullable XmlElement readChild() throws XMLStreamException {
    while (true) {
      switch (reader.next()) {
        case XMLStreamConstants.START_ELEMENT -> {
          return readElement();
        }
        case XMLStreamConstants.END_ELEMENT, XMLStreamConstants.END_DOCUMENT -> {
          return null;
        }
        default -> {
          if (reader.hasText() && !reader.getText().isBlank()) {
            throw new XMLStreamException("text between stanzas", reader.getLocation());
          }
        }
      }
    }
  }

  private XmlElement readElement() throws XMLStreamException {
    QName name = reader.getName();
    Map<QName, String> attributes = attributes();
    List<XmlElement> children = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    while (true) {
      switch (reader.next()) {
        case XMLStreamConstants.START_ELEMENT -> children.add(readElement());
        case XMLStreamConstants.END_ELEMENT -> {
          return new XmlElement(name, attributes, List.copyOf(children), text.toString());
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
            text.append(reader.getText());
        default ->
            throw new XMLStreamException(
                "neither an element nor text: " + reader.getEventType(), reader.getLocation());
      }
    }
  }

  private Map<QName, String> attributes() {
    Map<QName, String> attributes = LinkedHashMap.newLinkedHashMap(reader.getAttributeCount());
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      attributes.put(reader.getAttributeName(i), reader.getAttributeValue(i));
    }
    return attributes;
  }

  /// Checks that `xml` is a document by itself: it declares each prefix that it uses.
  ///
  /// @throws XMLStreamException if it is none
  public static void checkDocument(String xml) throws XMLStreamException {
    XmlStreamReading reading =
        new XmlStreamReading(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    while (reading.reader.hasNext()) {
      reading.reader.next();
    }
  }

  /// The elements in `xml`, read as if they stood in a client's stream: the default namespace is
  /// `jabber:client` and `stream` is the prefix of streams.
  ///
  /// @throws XMLStreamException if it is not XML
  public static List<XmlElement> parse(String xml) throws XMLStreamException {
    return parse(xml, "jabber:client");
  }

  /// Reads elements as if they were sent on a stream with that content namespace.
  public static List<XmlElement> parse(String xml, String namespace) throws XMLStreamException {
    String document =
        "<stream:stream xmlns='"
            + namespace
            + "' xmlns:stream='http://etherx.jabber.org/streams'>"
            + xml
            + "</stream:stream>";
    XmlStreamReading reading =
        new XmlStreamReading(new ByteArrayInputStream(document.getBytes(StandardCharsets.UTF_8)));
    reading.readRoot();
    List<XmlElement> elements = new ArrayList<>();
    for (XmlElement e = reading.readChild(); e != null; e = reading.readChild()) {
      elements.add(e);
    }
    return elements;
  }
}
