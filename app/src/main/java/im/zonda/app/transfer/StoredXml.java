package im.zonda.app.transfer;

import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.XmlReader;
import java.nio.charset.StandardCharsets;

/// Elements that other servers keep as text in their databases.
public final class StoredXml {
  private static final int OUTSIDE = 64;

  private StoredXml() {}

  /// Reads an element; without a namespace it is in that of clients.
  ///
  /// @throws BadRecordException if the text is not exactly one element
  public static Element read(String text) throws BadRecordException {
    if (text.length() > ImportBounds.VALUE_BYTES - OUTSIDE) {
      throw new BadRecordException(
          "an element is larger than " + (ImportBounds.VALUE_BYTES >> 20) + " MiB");
    }
    if (depth(text) > ImportBounds.DEPTH) {
      throw new BadRecordException("an element is nested deeper than " + ImportBounds.DEPTH);
    }
    try {
      Element around =
          XmlReader.read(
              ("<a xmlns='jabber:client'>" + text.strip() + "</a>")
                  .getBytes(StandardCharsets.UTF_8));
      if (around.nodes().size() == 1 && around.children().size() == 1) {
        return around.children().getFirst();
      }
      throw new BadRecordException("not one element");
    } catch (XmlException e) {
      throw new BadRecordException("damaged XML: " + e.getMessage());
    }
  }

  /// An element of clients that has only text.
  ///
  /// @throws BadRecordException if a character is not allowed in XML
  public static Element text(String name, String text) throws BadRecordException {
    try {
      // The check of attributes is that of text, too.
      Element _ = Element.builder("", "t").attribute("t", text).build();
      return Element.text(new QName("jabber:client", name), text);
    } catch (IllegalArgumentException e) {
      throw new BadRecordException("not XML: " + e.getMessage());
    }
  }

  /// How deep elements are nested, or more: the reader of stored elements has no bound.
  private static int depth(String text) {
    int depth = 0;
    int deepest = 0;
    for (int i = 0; i + 1 < text.length(); i++) {
      if (text.charAt(i) == '<') {
        depth += text.charAt(i + 1) == '/' ? -1 : 1;
        deepest = Math.max(deepest, depth);
      } else if (text.charAt(i) == '/' && text.charAt(i + 1) == '>') {
        depth--;
      }
    }
    return deepest;
  }
}
