package im.zonda.xml.framing;

import com.fasterxml.aalto.AsyncByteArrayFeeder;
import com.fasterxml.aalto.AsyncXMLStreamReader;
import com.fasterxml.aalto.stax.InputFactoryImpl;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.Set;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;

/// Reads a document with another parser, for comparison.
final class AaltoReader {
  /// Constructs that the other parser accepts and restricted XML forbids (RFC 6120, section 11.1).
  enum Forbidden {
    COMMENT,
    PROCESSING_INSTRUCTION,
    DOCUMENT_TYPE,
    ENTITY
  }

  private final ArrayDeque<Element.Builder> open = new ArrayDeque<>();
  private final Set<Forbidden> forbidden = EnumSet.noneOf(Forbidden.class);
  private @Nullable Element root;

  /// The tree of the document; null if the parser rejects it.
  @Nullable Element read(byte[] document) {
    try {
      AsyncXMLStreamReader<AsyncByteArrayFeeder> reader =
          new InputFactoryImpl().createAsyncFor(document);
      reader.getInputFeeder().endOfInput();
      int event;
      while ((event = reader.next()) != XMLStreamConstants.END_DOCUMENT) {
        if (event == AsyncXMLStreamReader.EVENT_INCOMPLETE) {
          return null;
        }
        take(event, reader);
      }
      return root;
    } catch (XMLStreamException | RuntimeException e) {
      // It also throws unchecked exceptions for broken input.
      return null;
    }
  }

  /// Constructs found that the framer rejects.
  Set<Forbidden> forbidden() {
    return forbidden;
  }

  private void take(int event, AsyncXMLStreamReader<AsyncByteArrayFeeder> reader) {
    switch (event) {
      case XMLStreamConstants.START_ELEMENT -> start(reader);
      case XMLStreamConstants.END_ELEMENT -> end();
      case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
        if (!open.isEmpty()) {
          open.getLast().text(reader.getText());
        }
      }
      case XMLStreamConstants.COMMENT -> forbidden.add(Forbidden.COMMENT);
      case XMLStreamConstants.PROCESSING_INSTRUCTION ->
          forbidden.add(Forbidden.PROCESSING_INSTRUCTION);
      case XMLStreamConstants.DTD -> forbidden.add(Forbidden.DOCUMENT_TYPE);
      case XMLStreamConstants.ENTITY_REFERENCE -> forbidden.add(Forbidden.ENTITY);
      default -> {}
    }
  }

  private void start(AsyncXMLStreamReader<AsyncByteArrayFeeder> reader) {
    Element.Builder builder =
        Element.builder(text(reader.getNamespaceURI()), reader.getLocalName());
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      builder.attribute(
          new QName(text(reader.getAttributeNamespace(i)), reader.getAttributeLocalName(i)),
          reader.getAttributeValue(i));
    }
    open.addLast(builder);
  }

  private void end() {
    Element element = open.removeLast().build();
    if (open.isEmpty()) {
      root = element;
    } else {
      open.getLast().child(element);
    }
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }
}
