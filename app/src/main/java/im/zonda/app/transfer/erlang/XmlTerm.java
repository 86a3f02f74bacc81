package im.zonda.app.transfer.erlang;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportBounds;
import im.zonda.app.transfer.StoredXml;
import im.zonda.xml.Element;
import java.util.List;

/// Elements as terms: `{xmlel, Name, Attributes, Children}`, in which text is `{xmlcdata, Text}`.
public final class XmlTerm {
  private XmlTerm() {}

  /// Reads an element; without a namespace it is in that of clients.
  ///
  /// @throws BadRecordException if the term is none, or is not valid XML
  public static Element read(Term term) throws BadRecordException {
    StringBuilder text = new StringBuilder();
    element(term, text);
    return StoredXml.read(text.toString());
  }

  private static void element(Term term, StringBuilder text) throws BadRecordException {
    if (!(term instanceof Term.Tuple tuple)
        || !(tuple.is("xmlel", 4) || tuple.is("xmlelement", 4))
        || text.length() > ImportBounds.VALUE_BYTES) {
      throw new BadRecordException("not an element, or too large");
    }
    String name = words(tuple.terms().get(1));
    text.append('<').append(name);
    attributes(tuple.terms().get(2), text);
    text.append('>');
    for (Term child : list(tuple.terms().get(3))) {
      if (child instanceof Term.Tuple data && data.is("xmlcdata", 2)) {
        escape(words(data.terms().get(1)), text);
      } else {
        element(child, text);
      }
    }
    text.append("</").append(name).append('>');
  }

  /// A list of pairs; a map is read as one.
  private static void attributes(Term term, StringBuilder text) throws BadRecordException {
    for (Term each : list(term)) {
      if (!(each instanceof Term.Tuple(List<Term> pair)) || pair.size() != 2) {
        throw new BadRecordException("an attribute is damaged");
      }
      text.append(' ').append(words(pair.getFirst())).append("=\"");
      escape(words(pair.get(1)), text);
      text.append('"');
    }
  }

  private static List<Term> list(Term term) throws BadRecordException {
    if (term instanceof Term.Items(List<Term> all)) {
      return all;
    }
    if (term instanceof Term.Text(String text) && text.isEmpty()) {
      return List.of(); // an empty list may be written as an empty string
    }
    throw new BadRecordException("an element without a list");
  }

  private static String words(Term term) throws BadRecordException {
    String words = Term.words(term);
    if (words == null) {
      throw new BadRecordException("an element with a name or text that is none");
    }
    return words;
  }

  private static void escape(String value, StringBuilder text) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '<' -> text.append("&lt;");
        case '>' -> text.append("&gt;");
        case '&' -> text.append("&amp;");
        case '"' -> text.append("&quot;");
        case '\t' -> text.append("&#9;");
        case '\n' -> text.append("&#10;");
        case '\r' -> text.append("&#13;");
        default -> text.append(c);
      }
    }
  }
}
