package im.zonda.app.transfer.portable;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportBounds;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/// An XML file that is read part by part, without document types, entities and XML 1.1.
///
/// Errors name the file and the line.
public final class XmlFile implements AutoCloseable {
  private static final int BUFFER = 1 << 16;
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
  private static final int SKIPPED_DEPTH = 10_000;

  private final Path file;
  private final InputStream input;
  private final XMLStreamReader xml;

  private XmlFile(Path file, InputStream input, XMLStreamReader xml) {
    this.file = file;
    this.input = input;
    this.xml = xml;
  }

  /// Opens a file and moves to its outermost element.
  ///
  /// @throws IOException if it is not an XML file
  public static XmlFile open(Path file) throws IOException {
    InputStream input = new BufferedInputStream(Files.newInputStream(file), BUFFER);
    try {
      skipByteOrderMark(input);
      Reader text = new InputStreamReader(input, StandardCharsets.UTF_8.newDecoder());
      XMLStreamReader xml = factory().createXMLStreamReader(text);
      XmlFile opened = new XmlFile(file, input, xml);
      String version = xml.getVersion();
      if (version != null && !version.equals("1.0")) {
        throw opened.failure("XML " + version + " is not supported, only 1.0");
      }
      String encoding = xml.getCharacterEncodingScheme();
      if (encoding != null && !encoding.equalsIgnoreCase("UTF-8")) {
        throw opened.failure("the encoding " + encoding + " is not supported, only UTF-8");
      }
      while (opened.next() != XMLStreamConstants.START_ELEMENT) {}
      return opened;
    } catch (XMLStreamException e) {
      input.close();
      throw new IOException(file + ": not an XML file: " + firstLine(e), e);
    } catch (IOException e) {
      input.close();
      throw e;
    }
  }

  private static void skipByteOrderMark(InputStream input) throws IOException {
    input.mark(BYTE_ORDER_MARK.length);
    if (!Arrays.equals(input.readNBytes(BYTE_ORDER_MARK.length), BYTE_ORDER_MARK)) {
      input.reset();
    }
  }

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, false);
    factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
    // Deeper ones end the reading; those between this and the bound of one element are skipped.
    factory.setProperty("jdk.xml.maxElementDepth", String.valueOf(SKIPPED_DEPTH));
    // Errors are thrown, too.
    factory.setXMLReporter((message, type, information, location) -> {});
    return factory;
  }

  private static String firstLine(XMLStreamException e) {
    String message = String.valueOf(e.getMessage());
    int text = message.indexOf("Message: ");
    return (text < 0 ? message : message.substring(text + "Message: ".length()))
        .lines()
        .findFirst()
        .orElse("");
  }

  /// The file and the line where the reader is.
  public String where() {
    Location location = xml.getLocation();
    return file + ":" + location.getLineNumber();
  }

  /// The file.
  Path path() {
    return file;
  }

  /// An error at this place.
  IOException failure(String message) {
    return new IOException(where() + ": " + message);
  }

  private int next() throws IOException {
    try {
      int event = xml.next();
      if (event == XMLStreamConstants.DTD
          || event == XMLStreamConstants.ENTITY_REFERENCE
          || event == XMLStreamConstants.ENTITY_DECLARATION) {
        throw failure("document types and entities are not allowed");
      }
      return event;
    } catch (XMLStreamException e) {
      throw new IOException(file + ":" + line(e) + ": the XML is damaged: " + firstLine(e), e);
    }
  }

  private int line(XMLStreamException e) {
    Location location = e.getLocation() == null ? xml.getLocation() : e.getLocation();
    return location.getLineNumber();
  }

  /// The namespace of the element at which the reader is; empty for none.
  public String namespace() {
    String namespace = xml.getNamespaceURI();
    return namespace == null ? "" : namespace;
  }

  /// The local name of the element at which the reader is.
  public String name() {
    return xml.getLocalName();
  }

  /// An attribute without a namespace of the element at which the reader is, or null.
  public @Nullable String attribute(String name) {
    for (int i = 0; i < xml.getAttributeCount(); i++) {
      String namespace = xml.getAttributeNamespace(i);
      if (xml.getAttributeLocalName(i).equals(name) && (namespace == null || namespace.isEmpty())) {
        return xml.getAttributeValue(i);
      }
    }
    return null;
  }

  /// Moves to the next child of the element whose start was read last, or whose last child was read
  /// or skipped whole; false at its end.
  public boolean nextChild() throws IOException {
    while (true) {
      int event = next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        return true;
      }
      if (event == XMLStreamConstants.END_ELEMENT || event == XMLStreamConstants.END_DOCUMENT) {
        return false;
      }
    }
  }

  /// Skips the rest of the element at which the reader is.
  public void skip() throws IOException {
    int depth = 1;
    while (depth > 0) {
      int event = next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        depth++;
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        depth--;
      }
    }
  }

  /// Reads the element at which the reader is with all that it contains.
  ///
  /// @throws BadRecordException if it is too large or too deep; it has been skipped then
  public Element element() throws IOException, BadRecordException {
    Deque<Element.Builder> open = new ArrayDeque<>();
    StringBuilder text = new StringBuilder();
    long size = 0;
    int depth = 0;
    int event = XMLStreamConstants.START_ELEMENT;
    boolean fits = true;
    while (true) {
      switch (event) {
        case XMLStreamConstants.START_ELEMENT -> {
          depth++;
          size += startSize();
          fits = fits && depth <= ImportBounds.DEPTH && size <= ImportBounds.VALUE_BYTES;
          if (fits) {
            flush(open, text);
            open.addLast(start());
          }
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
          size += xml.getTextLength();
          fits = fits && size <= ImportBounds.VALUE_BYTES;
          if (fits) {
            text.append(xml.getTextCharacters(), xml.getTextStart(), xml.getTextLength());
          }
        }
        case XMLStreamConstants.END_ELEMENT -> {
          depth--;
          if (fits) {
            flush(open, text);
            Element ended = open.removeLast().build();
            if (depth == 0) {
              return ended;
            }
            open.getLast().child(ended);
          } else if (depth == 0) {
            throw new BadRecordException(
                "larger than "
                    + (ImportBounds.VALUE_BYTES >> 20)
                    + " MiB, or deeper than "
                    + ImportBounds.DEPTH
                    + " elements");
          }
        }
        default -> {
          // Comments and processing instructions say nothing.
        }
      }
      event = next();
    }
  }

  private int startSize() {
    int size = xml.getLocalName().length() + 32;
    for (int i = 0; i < xml.getAttributeCount(); i++) {
      size += xml.getAttributeLocalName(i).length() + xml.getAttributeValue(i).length() + 32;
    }
    return size;
  }

  private static void flush(Deque<Element.Builder> open, StringBuilder text) {
    if (!text.isEmpty()) {
      open.getLast().text(text.toString());
      text.setLength(0);
    }
  }

  private Element.Builder start() throws IOException {
    Element.Builder element = Element.builder(namespace(), name());
    for (int i = 0; i < xml.getAttributeCount(); i++) {
      String namespace = xml.getAttributeNamespace(i);
      try {
        element.attribute(
            new QName(namespace == null ? "" : namespace, xml.getAttributeLocalName(i)),
            xml.getAttributeValue(i));
      } catch (IllegalArgumentException e) {
        throw failure(String.valueOf(e.getMessage()));
      }
    }
    return element;
  }

  @Override
  public void close() throws IOException {
    try {
      xml.close();
    } catch (XMLStreamException e) {
      throw new IOException(file + " cannot be closed", e);
    } finally {
      input.close();
    }
  }
}
