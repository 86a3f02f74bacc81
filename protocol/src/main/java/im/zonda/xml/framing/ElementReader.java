package im.zonda.xml.framing;

import im.zonda.xml.Element;
import im.zonda.xml.Node;
import im.zonda.xml.QName;
import im.zonda.xml.Text;
import im.zonda.xml.XmlChars;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlLimits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Builds element trees from bytes that the framer has checked.
///
/// Not recursive, so that deep input cannot exhaust the thread's stack.
final class ElementReader {
  private static final int SHARED_NAMES = 64;
  private static final QName[] NO_NAMES = {};
  private static final String[] NO_VALUES = {};
  private static final XmlLimits CHECKED =
      new XmlLimits(
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE);

  private final byte[] bytes;
  private final NamespaceStack namespaces = new NamespaceStack();
  private final StartTag tag = new StartTag(namespaces);
  private final ArrayDeque<Open> open = new ArrayDeque<>();
  // Equal names in one tree share an object: a peer must not turn 4 bytes into 100.
  private @Nullable QName @Nullable [] names;
  private @Nullable Element result;
  private int p;

  ElementReader(byte[] bytes, StreamScope scope) {
    this.bytes = bytes;
    tag.enter(scope);
  }

  /// Adds a declaration from outside the element to read; see [NamespaceStack#declare].
  void declare(int prefixFrom, int prefixTo, int nameFrom, int nameTo) {
    namespaces.declare(prefixFrom, prefixTo, nameFrom, nameTo);
  }

  /// Reads the element that starts at `from`.
  Element read(int from) {
    p = from;
    result = null;
    try {
      while (result == null) {
        if (bytes[p] == '<') {
          markup();
        } else {
          text();
        }
      }
      return result;
    } catch (XmlException e) {
      throw new IllegalStateException("checked bytes are not valid", e);
    }
  }

  private void markup() throws XmlException {
    byte next = bytes[p + 1];
    if (next == '/') {
      while (bytes[p] != '>') {
        p++;
      }
      p++;
      close();
    } else if (next == '!') {
      int from = p + "<![CDATA[".length();
      int to = from;
      while (bytes[to] != ']' || bytes[to + 1] != ']' || bytes[to + 2] != '>') {
        to++;
      }
      open.getLast().text(XmlText.cdata(bytes, from, to));
      p = to + 3;
    } else {
      startTag();
    }
  }

  private void text() {
    int from = p;
    while (bytes[p] != '<') {
      p++;
    }
    open.getLast().text(XmlText.text(bytes, from, p));
  }

  private void startTag() throws XmlException {
    int outer = namespaces.size();
    p++;
    int from = p;
    int colon = name();
    tag.begin(from, p, colon);
    skipSpace();
    while (bytes[p] != '>' && bytes[p] != '/') {
      attribute();
      skipSpace();
    }
    tag.check(bytes, 0, CHECKED);
    open.addLast(open(outer));
    if (bytes[p] == '/') {
      p += 2;
      close();
    } else {
      p++;
    }
  }

  private void attribute() {
    int from = p;
    int colon = name();
    tag.attribute(from, p, colon);
    while (bytes[p] != '\'' && bytes[p] != '"') {
      p++;
    }
    byte quote = bytes[p++];
    int valueFrom = p;
    while (bytes[p] != quote) {
      p++;
    }
    tag.value(valueFrom, p);
    p++;
  }

  // Moves past the name and returns the position of its colon, or -1.
  private int name() {
    int colon = -1;
    byte c;
    while ((c = bytes[p]) != '=' && c != '>' && c != '/' && !XmlChars.isSpace(c)) {
      if (c == ':') {
        colon = p;
      }
      p++;
    }
    return colon;
  }

  private void skipSpace() {
    while (XmlChars.isSpace(bytes[p])) {
      p++;
    }
  }

  private Open open(int outerDeclarations) throws XmlException {
    QName name = share(tag.name(bytes, 0));
    if (tag.count() == 0) {
      return new Open(name, NO_NAMES, NO_VALUES, outerDeclarations);
    }
    int count = 0;
    QName[] attributeNames = new QName[tag.count()];
    String[] values = new String[tag.count()];
    for (int i = 0; i < tag.count(); i++) {
      QName attribute = tag.attributeName(bytes, 0, i);
      if (attribute != null) {
        attributeNames[count] = share(attribute);
        values[count++] = XmlText.value(bytes, tag.valueFrom(i), tag.valueTo(i));
      }
    }
    if (count == 0) {
      return new Open(name, NO_NAMES, NO_VALUES, outerDeclarations);
    }
    return count == attributeNames.length
        ? new Open(name, attributeNames, values, outerDeclarations)
        : new Open(
            name,
            Arrays.copyOf(attributeNames, count),
            Arrays.copyOf(values, count),
            outerDeclarations);
  }

  private QName share(QName name) {
    if (names == null) {
      names = new @Nullable QName[SHARED_NAMES];
    }
    int slot = name.hashCode() & (SHARED_NAMES - 1);
    QName before = names[slot];
    if (before != null && before.equals(name)) {
      return before;
    }
    names[slot] = name;
    return name;
  }

  private void close() {
    Open closed = open.removeLast();
    namespaces.shrink(closed.outerDeclarations);
    Element element = closed.element();
    if (open.isEmpty()) {
      result = element;
    } else {
      open.getLast().child(element);
    }
  }

  /// An element whose end tag has not been read.
  private static final class Open {
    private final QName name;
    private final QName[] attributeNames;
    private final String[] attributeValues;
    private final int outerDeclarations;
    private @Nullable List<Node> nodes;
    private String text = "";
    private @Nullable StringBuilder longText;

    Open(QName name, QName[] attributeNames, String[] attributeValues, int outerDeclarations) {
      this.name = name;
      this.attributeNames = attributeNames;
      this.attributeValues = attributeValues;
      this.outerDeclarations = outerDeclarations;
    }

    // Adjacent text and CDATA sections are one text.
    void text(String more) {
      if (longText != null) {
        longText.append(more);
      } else if (text.isEmpty()) {
        text = more;
      } else {
        longText = new StringBuilder(text).append(more);
      }
    }

    void child(Element child) {
      endText();
      nodes().add(child);
    }

    Element element() {
      endText();
      return Element.ofChecked(
          name, attributeNames, attributeValues, nodes == null ? List.of() : List.copyOf(nodes));
    }

    private void endText() {
      String all = longText == null ? text : longText.toString();
      if (!all.isEmpty()) {
        nodes().add(new Text(all));
        text = "";
        longText = null;
      }
    }

    private List<Node> nodes() {
      if (nodes == null) {
        nodes = new ArrayList<>(4);
      }
      return nodes;
    }
  }
}
