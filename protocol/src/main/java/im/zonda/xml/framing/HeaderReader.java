package im.zonda.xml.framing;

import im.zonda.xml.QName;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.XmlException;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// Reads a complete stream header into values that do not refer to its bytes.
final class HeaderReader {
  private final byte[] bytes;
  private final int start;
  private final StartTag tag;
  private final NamespaceStack namespaces;

  /// Creates a reader of the header that starts at `start`, with its checked tag and its
  /// declarations.
  HeaderReader(byte[] bytes, int start, StartTag tag, NamespaceStack namespaces) {
    this.bytes = bytes;
    this.start = start;
    this.tag = tag;
    this.namespaces = namespaces;
  }

  /// Returns the header for the handler.
  StreamHeader header() throws XmlException {
    Map<QName, String> attributes = new LinkedHashMap<>();
    for (int i = 0; i < tag.count(); i++) {
      QName name = tag.attributeName(bytes, start, i);
      if (name != null) {
        attributes.put(
            name, XmlText.value(bytes, start + tag.valueFrom(i), start + tag.valueTo(i)));
      }
    }
    return new StreamHeader(
        tag.name(bytes, start),
        Collections.unmodifiableMap(attributes),
        tag.defaultNamespace(bytes, start));
  }

  /// Returns the scope of the elements of the stream.
  StreamScope scope() {
    byte[][] prefixes = new byte[namespaces.size()][];
    String[] names = new String[namespaces.size()];
    int count = 0;
    for (int i = 0; i < namespaces.size(); i++) {
      byte[] prefix = namespaces.prefix(bytes, start, i);
      if (prefix.length > 0) {
        prefixes[count] = prefix;
        names[count++] = namespaces.namespace(bytes, start, i);
      }
    }
    return StreamScope.of(
        tag.defaultNamespace(bytes, start),
        Arrays.copyOf(prefixes, count),
        Arrays.copyOf(names, count),
        Arrays.copyOfRange(bytes, start + tag.nameFrom(), start + tag.nameTo()));
  }
}
