package im.zonda.xml.framing;

import im.zonda.xml.QName;
import im.zonda.xml.XmlLimits;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Collects the index of a first-level element while it is read: its attributes and its children.
final class FrameBuilder {
  private static final QName NONE = new QName("", "");

  private QName name = NONE;
  private boolean prefixed;
  private boolean cdataUsed;
  private int startTagTo;
  private int contentTo;
  private int[] attributes = new int[8 * Frame.ATTRIBUTE_FIELDS];
  private int attributeCount;
  private int[] children = new int[8 * Frame.CHILD_FIELDS];
  private @Nullable QName[] childNames = new @Nullable QName[8];
  private int childCount;

  /// Resets the builder for a new element.
  void clear() {
    // The names may come from a peer and must not be retained.
    Arrays.fill(childNames, 0, childCount, null);
    name = NONE;
    cdataUsed = false;
    attributeCount = 0;
    childCount = 0;
  }

  /// Sets the first start tag, which ends at `to`.
  void root(QName rootName, StartTag tag, int to) {
    name = rootName;
    prefixed = tag.isPrefixed();
    startTagTo = to;
    attributeCount = tag.count();
    if (attributeCount * Frame.ATTRIBUTE_FIELDS > attributes.length) {
      attributes = new int[attributeCount * Frame.ATTRIBUTE_FIELDS];
    }
    for (int i = 0; i < attributeCount; i++) {
      int at = i * Frame.ATTRIBUTE_FIELDS;
      attributes[at] = tag.attributeFrom(i);
      attributes[at + 1] = tag.valueFrom(i);
      attributes[at + 2] = tag.valueTo(i);
    }
  }

  /// Adds a child element that begins at `from`.
  void beginChild(QName childName, int from) {
    if (childCount == childNames.length) {
      childNames = Arrays.copyOf(childNames, 2 * childCount);
      children = Arrays.copyOf(children, 2 * children.length);
    }
    childNames[childCount] = childName;
    children[childCount * Frame.CHILD_FIELDS] = from;
    childCount++;
  }

  /// Ends the last child element before `to`.
  void endChild(int to) {
    children[childCount * Frame.CHILD_FIELDS - 1] = to;
  }

  /// Notes that the element contains a CDATA section.
  void cdata() {
    cdataUsed = true;
  }

  /// Sets the end of the element's content.
  void end(int to) {
    contentTo = to;
  }

  /// Builds the frame with these bytes.
  Frame build(byte[] bytes, StreamScope scope, XmlLimits limits, StartTag tag) {
    int attributeInts = attributeCount * Frame.ATTRIBUTE_FIELDS;
    int childInts = childCount * Frame.CHILD_FIELDS;
    int[] index = new int[Frame.HEAD_FIELDS + attributeInts + childInts];
    index[0] = startTagTo;
    index[1] = contentTo;
    System.arraycopy(attributes, 0, index, Frame.HEAD_FIELDS, attributeInts);
    System.arraycopy(children, 0, index, Frame.HEAD_FIELDS + attributeInts, childInts);
    QName[] names = Frame.names(childNames, childCount);
    index[2] =
        (prefixed ? Frame.PREFIXED : 0)
            | (tag.streamPrefixUsed() ? Frame.STREAM_PREFIX_USED : 0)
            | (tag.contentNamespaceUsed() ? Frame.CONTENT_NAMESPACE_USED : 0)
            | (tag.prefixDeclared() || tag.streamPrefixUsed() || cdataUsed ? Frame.MAY_GROW : 0);
    return new Frame(bytes, index, names, name, scope, limits);
  }
}
