package im.zonda.xml.framing;

import im.zonda.xml.QName;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlException.Condition;
import im.zonda.xml.XmlLimits;
import im.zonda.xml.XmlNamespaces;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The start tag that is being read: the positions of its name and attributes, and the checks of
/// "Namespaces in XML 1.0" once it is complete.
///
/// All positions are relative to the start of the first-level element.
final class StartTag {
  private static final int FIELDS = 5;
  private static final int MANY = 8;

  private final NamespaceStack namespaces;
  private StreamScope scope = StreamScope.EMPTY;
  private int[] attributes = new int[8 * FIELDS];
  private int count;
  private int nameFrom;
  private int nameTo;
  private int colon;
  private boolean streamPrefixUsed;

  /// Whether the next tag is that of the first-level element itself.
  private boolean first;

  private boolean contentNamespaceUsed;
  private boolean prefixDeclared;

  StartTag(NamespaceStack namespaces) {
    this.namespaces = namespaces;
  }

  /// Begins a new first-level element or header inside `newScope`.
  void enter(StreamScope newScope) {
    scope = newScope;
    streamPrefixUsed = false;
    contentNamespaceUsed = false;
    prefixDeclared = false;
    first = true;
  }

  /// Begins a tag with this name; `colonAt` is -1 if the name has no prefix.
  void begin(int from, int to, int colonAt) {
    nameFrom = from;
    nameTo = to;
    colon = colonAt;
    count = 0;
  }

  int nameFrom() {
    return nameFrom;
  }

  int nameTo() {
    return nameTo;
  }

  int count() {
    return count;
  }

  boolean isPrefixed() {
    return colon >= 0;
  }

  /// Whether a prefix that only the stream header declares has been used since [#enter].
  boolean streamPrefixUsed() {
    return streamPrefixUsed;
  }

  /// Whether a tag since [#enter], other than the first one, declares a content namespace.
  boolean contentNamespaceUsed() {
    return contentNamespaceUsed;
  }

  /// Whether a tag since [#enter] declares a prefix.
  boolean prefixDeclared() {
    return prefixDeclared;
  }

  int attributeFrom(int index) {
    return attributes[index * FIELDS];
  }

  int valueFrom(int index) {
    return attributes[index * FIELDS + 3];
  }

  int valueTo(int index) {
    return attributes[index * FIELDS + 4];
  }

  /// Adds the name of an attribute; its value follows.
  void attribute(int from, int to, int colonAt) {
    if ((count + 1) * FIELDS > attributes.length) {
      attributes = Arrays.copyOf(attributes, 2 * attributes.length);
    }
    int at = count * FIELDS;
    attributes[at] = from;
    attributes[at + 1] = colonAt;
    attributes[at + 2] = to;
    count++;
  }

  /// Sets the value of the last attribute.
  void value(int from, int to) {
    int at = (count - 1) * FIELDS;
    attributes[at + 3] = from;
    attributes[at + 4] = to;
  }

  /// Checks the complete tag and brings its namespace declarations into scope.
  void check(byte[] bytes, int base, XmlLimits limits) throws XmlException {
    if (count > 0) {
      boolean prefixed = false;
      for (int i = 0; i < count; i++) {
        if (isDeclaration(bytes, base, i)) {
          declare(bytes, base, i, limits);
        } else {
          prefixed |= attributes[i * FIELDS + 1] >= 0;
        }
      }
      if (count > 1) {
        refuseDuplicates(bytes, base);
      }
      if (prefixed) {
        checkPrefixes(bytes, base);
      }
    }
    if (colon >= 0) {
      namespace(bytes, base, nameFrom, colon);
    }
    first = false;
  }

  /// The name of the element, after [#check].
  QName name(byte[] bytes, int base) throws XmlException {
    if (colon < 0) {
      return KnownNames.name(defaultNamespace(bytes, base), bytes, base + nameFrom, base + nameTo);
    }
    return KnownNames.name(
        namespace(bytes, base, nameFrom, colon), bytes, base + colon + 1, base + nameTo);
  }

  /// The name of an attribute, after [#check]; null if it is a namespace declaration.
  @Nullable QName attributeName(byte[] bytes, int base, int index) throws XmlException {
    if (isDeclaration(bytes, base, index)) {
      return null;
    }
    int at = index * FIELDS;
    int colonAt = attributes[at + 1];
    return colonAt < 0
        ? KnownNames.name("", bytes, base + attributes[at], base + attributes[at + 2])
        : KnownNames.name(
            namespace(bytes, base, attributes[at], colonAt),
            bytes,
            base + colonAt + 1,
            base + attributes[at + 2]);
  }

  /// The default namespace in scope, empty if there is none.
  String defaultNamespace(byte[] bytes, int base) {
    String declared = namespaces.resolve(bytes, base, 0, 0);
    return declared != null ? scope.read(declared) : scope.defaultNamespace();
  }

  private boolean isDeclaration(byte[] bytes, int base, int index) {
    int at = index * FIELDS;
    int colonAt = attributes[at + 1];
    int end = colonAt < 0 ? attributes[at + 2] : colonAt;
    return end - attributes[at] == 5 && isXmlns(bytes, base + attributes[at]);
  }

  private void declare(byte[] bytes, int base, int index, XmlLimits limits) throws XmlException {
    int at = index * FIELDS;
    int colonAt = attributes[at + 1];
    int valueFrom = attributes[at + 3];
    int valueTo = attributes[at + 4];
    int prefixFrom = colonAt < 0 ? 0 : colonAt + 1;
    int prefixTo = colonAt < 0 ? 0 : attributes[at + 2];
    // Limited, because a long name is written again for every element that uses it.
    if (namespaces.size() + scope.declarations() >= limits.maxNamespaceDeclarations()
        || valueTo - valueFrom > limits.maxNameBytes()) {
      throw new XmlException(
          Condition.POLICY_VIOLATION, "too many namespace declarations, or one too long");
    }
    namespaces.declare(prefixFrom, prefixTo, valueFrom, valueTo);
    String namespace = namespaces.namespace(bytes, base, namespaces.size() - 1);
    boolean isXmlPrefix = prefixTo - prefixFrom == 3 && isXml(bytes, base + prefixFrom);
    if ((colonAt >= 0 && namespace.isEmpty())
        || (prefixTo - prefixFrom == 5 && isXmlns(bytes, base + prefixFrom))
        || namespace.equals(XmlNamespaces.XMLNS)
        || namespace.equals(XmlNamespaces.XML) != isXmlPrefix) {
      throw notWellFormed("a namespace declaration that is not allowed");
    }
    prefixDeclared |= colonAt >= 0;
    contentNamespaceUsed |= !first && XmlNamespaces.isContent(namespace);
  }

  private void checkPrefixes(byte[] bytes, int base) throws XmlException {
    @Nullable String[] found = new @Nullable String[count];
    for (int i = 0; i < count; i++) {
      int at = i * FIELDS;
      int colonAt = attributes[at + 1];
      if (colonAt < 0 || isDeclaration(bytes, base, i)) {
        continue;
      }
      String namespace = namespace(bytes, base, attributes[at], colonAt);
      for (int j = 0; j < i; j++) {
        String other = found[j];
        // Hashes of strings are kept: many long names that differ at their ends stay cheap.
        if (other != null
            && other.hashCode() == namespace.hashCode()
            && sameLocalName(bytes, base, i, j)
            && other.equals(namespace)) {
          throw notWellFormed("an attribute twice, by two prefixes of one namespace");
        }
      }
      found[i] = namespace;
    }
  }

  private boolean sameLocalName(byte[] bytes, int base, int i, int j) {
    return Arrays.equals(
        bytes,
        base + attributes[i * FIELDS + 1] + 1,
        base + attributes[i * FIELDS + 2],
        bytes,
        base + attributes[j * FIELDS + 1] + 1,
        base + attributes[j * FIELDS + 2]);
  }

  private void refuseDuplicates(byte[] bytes, int base) throws XmlException {
    // Names are compared only if their hashes are equal, so that many attributes stay cheap.
    int[] hashes = count > MANY ? hashes(bytes, base) : null;
    for (int i = 1; i < count; i++) {
      int from = attributes[i * FIELDS];
      int to = attributes[i * FIELDS + 2];
      for (int j = 0; j < i; j++) {
        int otherFrom = attributes[j * FIELDS];
        int otherTo = attributes[j * FIELDS + 2];
        if (otherTo - otherFrom == to - from
            && (hashes == null || hashes[i] == hashes[j])
            && Arrays.equals(
                bytes, base + from, base + to, bytes, base + otherFrom, base + otherTo)) {
          throw notWellFormed("an attribute twice");
        }
      }
    }
  }

  private int[] hashes(byte[] bytes, int base) {
    int[] hashes = new int[count];
    for (int i = 0; i < count; i++) {
      int hash = 0;
      for (int at = attributes[i * FIELDS]; at < attributes[i * FIELDS + 2]; at++) {
        hash = 31 * hash + bytes[base + at];
      }
      hashes[i] = hash;
    }
    return hashes;
  }

  private String namespace(byte[] bytes, int base, int from, int to) throws XmlException {
    String declared = namespaces.resolve(bytes, base, from, to);
    if (declared != null) {
      return scope.read(declared);
    }
    if (to - from == 3 && isXml(bytes, base + from)) {
      return XmlNamespaces.XML;
    }
    String inherited = scope.namespace(bytes, base + from, base + to);
    if (inherited == null) {
      throw notWellFormed("a prefix that is not declared");
    }
    streamPrefixUsed = true;
    return inherited;
  }

  private static boolean isXml(byte[] bytes, int at) {
    return bytes[at] == 'x' && bytes[at + 1] == 'm' && bytes[at + 2] == 'l';
  }

  private static boolean isXmlns(byte[] bytes, int at) {
    return isXml(bytes, at) && bytes[at + 3] == 'n' && bytes[at + 4] == 's';
  }

  private static XmlException notWellFormed(String message) {
    return new XmlException(Condition.NOT_WELL_FORMED, message);
  }
}
