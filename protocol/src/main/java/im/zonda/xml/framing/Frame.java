package im.zonda.xml.framing;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlChars;
import im.zonda.xml.XmlLimits;
import im.zonda.xml.XmlWriter;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One complete first-level element of a stream: its checked bytes and an index of its children.
///
/// Immutable and thread-safe. Positions are offsets in [#bytes].
public final class Frame {
  static final int HEAD_FIELDS = 3;
  static final int ATTRIBUTE_FIELDS = 3;
  static final int CHILD_FIELDS = 2;

  /// Mark of [#isPrefixed].
  static final int PREFIXED = 1;

  /// Mark of [#usesStreamPrefix].
  static final int STREAM_PREFIX_USED = 2;

  /// Mark of [#usesContentNamespace].
  static final int CONTENT_NAMESPACE_USED = 4;

  /// Mark of [#mayGrow].
  static final int MAY_GROW = 8;

  private static final QName[] NO_NAMES = {};

  private final byte[] bytes;
  // End of the start tag, end of the content, marks; then name start, value start and value end of
  // each attribute; then start and end of each child.
  private final int[] index;
  private final QName[] childNames;
  private final QName name;
  private final StreamScope scope;
  private final XmlLimits limits;

  Frame(
      byte[] bytes,
      int[] index,
      QName[] childNames,
      QName name,
      StreamScope scope,
      XmlLimits limits) {
    this.bytes = bytes;
    this.index = index;
    this.childNames = childNames;
    this.name = name;
    this.scope = scope;
    this.limits = limits;
  }

  static QName[] names(@Nullable QName[] from, int count) {
    if (count == 0) {
      return NO_NAMES;
    }
    QName[] names = new QName[count];
    for (int i = 0; i < count; i++) {
      names[i] = Objects.requireNonNull(from[i]);
    }
    return names;
  }

  /// The element's name.
  public QName name() {
    return name;
  }

  /// The value of an attribute with no namespace, unescaped, or null.
  public @Nullable String attribute(String localName) {
    for (int i = 0; i < attributeCount(); i++) {
      if (attributeIs(i, localName)) {
        return attributeValue(i);
      }
    }
    return null;
  }

  /// The number of child elements.
  public int childCount() {
    return childNames.length;
  }

  /// The name of a child element.
  public QName childName(int child) {
    return childNames[child];
  }

  /// A child element as a tree.
  public Element child(int child) {
    return reader().read(childStart(child));
  }

  /// The whole element as a tree.
  public Element toElement() {
    return new ElementReader(bytes, scope).read(0);
  }

  /// The element's bytes: valid UTF-8, valid XML. Shared: do not change them.
  public byte[] bytes() {
    return bytes;
  }

  /// The position after the start tag's `>`.
  public int startTagEnd() {
    return index[0];
  }

  /// Whether the element is written as one tag, `<name/>`.
  public boolean isEmptyTag() {
    return index[0] == bytes.length;
  }

  /// Whether the element's own name is written with a prefix.
  public boolean isPrefixed() {
    return isMarked(PREFIXED);
  }

  /// Whether any part uses a prefix that only the stream header declares. Such bytes are not valid
  /// in another stream.
  public boolean usesStreamPrefix() {
    return isMarked(STREAM_PREFIX_USED);
  }

  /// Whether an element inside names a content namespace of streams, such as `jabber:client`,
  /// instead of inheriting it. Such bytes mean something else in a stream with another content
  /// namespace.
  public boolean usesContentNamespace() {
    return isMarked(CONTENT_NAMESPACE_USED);
  }

  /// Whether the element may take many more bytes when its tree is written again: a short prefix
  /// stands for a long namespace, or a CDATA section has what must be escaped elsewhere. Without
  /// this mark the tree is written in less than twice the bytes.
  public boolean mayGrow() {
    return isMarked(MAY_GROW);
  }

  /// Whether these bytes are one element that keeps within the limits under which this one was
  /// framed, in a client's stream.
  public boolean allows(byte[] written) {
    return XmlParser.isWithin(limits, written);
  }

  /// The most bytes that this element could have been sent with.
  public int maxBytes() {
    return limits.maxBytes();
  }

  private boolean isMarked(int mark) {
    return (index[2] & mark) != 0;
  }

  /// The number of attributes of the element itself, namespace declarations included.
  public int attributeCount() {
    return (index.length - HEAD_FIELDS - childNames.length * CHILD_FIELDS) / ATTRIBUTE_FIELDS;
  }

  /// Whether the name of an attribute is written as this ASCII string, prefix included.
  public boolean attributeIs(int attribute, String writtenName) {
    int at = attributeStart(attribute);
    int length = writtenName.length();
    for (int i = 0; i < length; i++) {
      if (bytes[at + i] != writtenName.charAt(i)) {
        return false;
      }
    }
    int after = bytes[at + length];
    return after == '=' || XmlChars.isSpace(after);
  }

  /// The position of an attribute's name. The byte before it is white space.
  public int attributeStart(int attribute) {
    return index[HEAD_FIELDS + attribute * ATTRIBUTE_FIELDS];
  }

  /// The position of an attribute's value, after the quote.
  public int valueStart(int attribute) {
    return index[HEAD_FIELDS + attribute * ATTRIBUTE_FIELDS + 1];
  }

  /// The end of an attribute's value: the position of the closing quote.
  public int valueEnd(int attribute) {
    return index[HEAD_FIELDS + attribute * ATTRIBUTE_FIELDS + 2];
  }

  /// An attribute's value, unescaped.
  public String attributeValue(int attribute) {
    return XmlText.value(bytes, valueStart(attribute), valueEnd(attribute));
  }

  /// Whether an attribute's value is written as this ASCII string.
  public boolean valueIs(int attribute, String writtenValue) {
    int at = valueStart(attribute);
    int length = writtenValue.length();
    if (valueEnd(attribute) - at != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (bytes[at + i] != writtenValue.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /// Whether an attribute's value equals its bytes, with nothing to unescape.
  public boolean isPlainValue(int attribute) {
    return XmlText.isPlainValue(bytes, valueStart(attribute), valueEnd(attribute));
  }

  /// A frame with one more child at the end and the same start tag.
  ///
  /// Only for an element that is not prefixed and whose content has the element's own namespace as
  /// its default.
  public Frame append(Element child) {
    ByteArraySink sink = new ByteArraySink(128);
    XmlWriter.write(child, name.namespace(), sink);
    return append(child.name(), sink.toByteArray());
  }

  /// As above, for a serialised child: one element of valid, restricted XML with the name
  /// `childName` that declares its own namespace.
  public Frame append(QName childName, byte[] child) {
    int size = child.length;
    int tagName = 1;
    while (!XmlChars.isSpace(bytes[tagName]) && bytes[tagName] != '/' && bytes[tagName] != '>') {
      tagName++;
    }
    int before = isEmptyTag() ? bytes.length - 1 : index[1];
    int after = isEmptyTag() ? tagName + 2 : bytes.length - index[1];
    byte[] joined = Arrays.copyOf(bytes, before + size + after);
    System.arraycopy(child, 0, joined, before, size);
    int[] newIndex = Arrays.copyOf(index, index.length + CHILD_FIELDS);
    if (isEmptyTag()) {
      joined[before - 1] = '>';
      newIndex[0] = before;
      joined[before + size] = '<';
      joined[before + size + 1] = '/';
      System.arraycopy(bytes, 1, joined, before + size + 2, tagName - 1);
      joined[joined.length - 1] = '>';
    } else {
      System.arraycopy(bytes, index[1], joined, before + size, after);
    }
    newIndex[1] = before + size;
    newIndex[index.length] = before;
    newIndex[index.length + 1] = before + size;
    QName[] names = Arrays.copyOf(childNames, childNames.length + 1);
    names[childNames.length] = childName;
    return new Frame(joined, newIndex, names, name, scope, limits);
  }

  /// A frame without the children whose index is true in `drop`, with the same start tag.
  public Frame without(boolean[] drop) {
    int cut = 0;
    int left = 0;
    for (int i = 0; i < drop.length; i++) {
      cut += drop[i] ? childEnd(i) - childStart(i) : 0;
      left += drop[i] ? 0 : 1;
    }
    byte[] rest = new byte[bytes.length - cut];
    QName[] names = new QName[left];
    int childInts = childNames.length * CHILD_FIELDS;
    int[] newIndex = Arrays.copyOf(index, index.length - (childNames.length - left) * CHILD_FIELDS);
    int at = index.length - childInts;
    int from = 0;
    int size = 0;
    int kept = 0;
    for (int i = 0; i < drop.length; i++) {
      if (drop[i]) {
        System.arraycopy(bytes, from, rest, size, childStart(i) - from);
        size += childStart(i) - from;
        from = childEnd(i);
      } else {
        names[kept++] = childNames[i];
        newIndex[at++] = childStart(i) - (from - size);
        newIndex[at++] = childEnd(i) - (from - size);
      }
    }
    System.arraycopy(bytes, from, rest, size, bytes.length - from);
    newIndex[1] = index[1] - cut;
    return new Frame(rest, newIndex, names, name, scope, limits);
  }

  /// The position of a child.
  public int childStart(int child) {
    return index[index.length - (childNames.length - child) * CHILD_FIELDS];
  }

  /// The position after a child's last `>`.
  public int childEnd(int child) {
    return index[index.length - (childNames.length - child) * CHILD_FIELDS + 1];
  }

  /// The element as it was received, as text.
  @Override
  public String toString() {
    return new String(bytes, UTF_8);
  }

  // Creates a reader with the declarations of the element's own start tag.
  private ElementReader reader() {
    ElementReader reader = new ElementReader(bytes, scope);
    for (int i = 0; i < attributeCount(); i++) {
      int at = attributeStart(i);
      if (attributeIs(i, "xmlns")) {
        reader.declare(0, 0, valueStart(i), valueEnd(i));
      } else if (valueStart(i) - at > 6 && startsWithXmlns(at)) {
        int end = at + 6;
        while (bytes[end] != '=' && !XmlChars.isSpace(bytes[end])) {
          end++;
        }
        reader.declare(at + 6, end, valueStart(i), valueEnd(i));
      }
    }
    return reader;
  }

  private boolean startsWithXmlns(int at) {
    return bytes[at] == 'x'
        && bytes[at + 1] == 'm'
        && bytes[at + 2] == 'l'
        && bytes[at + 3] == 'n'
        && bytes[at + 4] == 's'
        && bytes[at + 5] == ':';
  }
}
