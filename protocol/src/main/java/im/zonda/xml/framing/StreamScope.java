package im.zonda.xml.framing;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.xml.XmlNamespaces;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The scope of a stream's elements as declared by the stream header: its namespaces, and its name
/// for the closing tag. Immutable.
///
/// Elements in `jabber:server` and `jabber:component:accept` are read as elements in
/// `jabber:client`, so that the rest of the server sees one content namespace. Since all kinds of
/// stream declare theirs in the header, the bytes of a stanza that does not name it itself are
/// valid in all ([Frame#usesContentNamespace]).
final class StreamScope {
  /// The scope without a header, or of one without declarations.
  static final StreamScope EMPTY =
      new StreamScope("", "", new byte[0][], new String[0], new byte[0]);

  /// The declarations of nearly every client: shared, to save memory of idle streams.
  private static final StreamScope CLIENT = made(XmlNamespaces.CLIENT);

  private static final StreamScope SERVER = made(XmlNamespaces.SERVER);

  private final String defaultNamespace;

  /// The content namespace of the stream; empty if the default namespace is none.
  private final String content;

  private final byte[][] prefixes;
  private final String[] namespaces;
  private final byte[] tagName;

  private StreamScope(
      String defaultNamespace,
      String content,
      byte[][] prefixes,
      String[] namespaces,
      byte[] tagName) {
    this.defaultNamespace = defaultNamespace;
    this.content = content;
    this.prefixes = prefixes;
    this.namespaces = namespaces;
    this.tagName = tagName;
  }

  /// Creates the scope of a header with these declarations and this tag name.
  static StreamScope of(
      String defaultNamespace, byte[][] prefixes, String[] namespaces, byte[] tagName) {
    StreamScope scope = scope(defaultNamespace, prefixes, namespaces, tagName);
    return CLIENT.same(scope) ? CLIENT : SERVER.same(scope) ? SERVER : scope;
  }

  private static StreamScope scope(
      String defaultNamespace, byte[][] prefixes, String[] namespaces, byte[] tagName) {
    return XmlNamespaces.isContent(defaultNamespace)
        ? new StreamScope(XmlNamespaces.CLIENT, defaultNamespace, prefixes, namespaces, tagName)
        : new StreamScope(defaultNamespace, "", prefixes, namespaces, tagName);
  }

  /// The scope of a stream with this default namespace and the prefix `stream`.
  static StreamScope usual(String defaultNamespace) {
    // Shared, because frames may be kept for long.
    return defaultNamespace.equals(XmlNamespaces.CLIENT) ? CLIENT : made(defaultNamespace);
  }

  private static StreamScope made(String defaultNamespace) {
    return scope(
        defaultNamespace,
        new byte[][] {"stream".getBytes(UTF_8)},
        new String[] {XmlNamespaces.STREAM},
        "stream:stream".getBytes(UTF_8));
  }

  /// The namespace as which elements in `namespace` are read.
  String read(String namespace) {
    return !content.isEmpty() && namespace.equals(content) ? XmlNamespaces.CLIENT : namespace;
  }

  /// The default namespace, as it is read.
  String defaultNamespace() {
    return defaultNamespace;
  }

  /// The header's name as written, prefix included.
  byte[] tagName() {
    return tagName;
  }

  /// The number of namespaces that the header declares.
  int declarations() {
    return prefixes.length + (defaultNamespace.isEmpty() ? 0 : 1);
  }

  /// The namespace of the prefix `bytes[from, to)`, or null.
  @Nullable String namespace(byte[] bytes, int from, int to) {
    for (int i = 0; i < prefixes.length; i++) {
      if (Arrays.equals(prefixes[i], 0, prefixes[i].length, bytes, from, to)) {
        return read(namespaces[i]);
      }
    }
    return null;
  }

  private boolean same(StreamScope other) {
    return defaultNamespace.equals(other.defaultNamespace)
        && content.equals(other.content)
        && Arrays.deepEquals(prefixes, other.prefixes)
        && Arrays.equals(namespaces, other.namespaces)
        && Arrays.equals(tagName, other.tagName);
  }
}
