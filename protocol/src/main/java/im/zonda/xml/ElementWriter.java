package im.zonda.xml;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes one element tree and decides where namespaces are declared.
///
/// Recursive: the framer bounds the depth of a tree from a peer.
final class ElementWriter {
  // Beyond this many bytes of repeated declarations, prefixes are declared once at the top: a peer
  // must not be able to make the server write a long namespace name for every 4 bytes it sends.
  private static final int MAX_REPEATED_BYTES = 8_192;
  private static final int MAX_PREFIXES = 24;
  private static final int DECLARATION_OVERHEAD = 9;

  private final ByteSink sink;
  private final Map<String, String> prefixes = new HashMap<>();
  private int generated;

  ElementWriter(ByteSink sink, boolean streamPrefix) {
    this.sink = sink;
    prefixes.put(XmlNamespaces.XML, "xml");
    if (streamPrefix) {
      prefixes.put(XmlNamespaces.STREAM, "stream");
    }
  }

  /// Writes the tree in the scope of the default namespace.
  void write(Element element, String defaultNamespace) {
    List<String> shared =
        repeatedBytes(element) > MAX_REPEATED_BYTES ? costliest(element) : List.of();
    for (String namespace : shared) {
      prefixes.putIfAbsent(namespace, nextPrefix());
    }
    element(element, defaultNamespace, shared);
  }

  private void element(Element element, String outerNamespace, List<String> declare) {
    String namespace = element.name().namespace();
    String prefix = namespace.equals(outerNamespace) ? null : prefixes.get(namespace);
    String inner = prefix == null ? namespace : outerNamespace;
    sink.put('<');
    name(prefix, element.name().name());
    if (!inner.equals(outerNamespace)) {
      declaration(null, namespace);
    }
    for (String shared : declare) {
      declaration(prefixes.get(shared), shared);
    }
    if (!element.attributes().isEmpty()) {
      attributes(element.attributes());
    }
    if (element.nodes().isEmpty()) {
      sink.put('/');
      sink.put('>');
      return;
    }
    sink.put('>');
    for (Node node : element.nodes()) {
      switch (node) {
        case Element child -> element(child, inner, List.of());
        case Text text -> XmlWriter.writeText(text.value(), sink);
      }
    }
    sink.put('<');
    sink.put('/');
    name(prefix, element.name().name());
    sink.put('>');
  }

  private void attributes(Map<QName, String> attributes) {
    Map<String, String> local = Map.of();
    for (Map.Entry<QName, String> attribute : attributes.entrySet()) {
      String namespace = attribute.getKey().namespace();
      String prefix = null;
      if (!namespace.isEmpty()) {
        prefix = prefixes.get(namespace);
        if (prefix == null) {
          if (local.isEmpty()) {
            local = new HashMap<>();
          }
          prefix = local.get(namespace);
        }
        if (prefix == null) {
          prefix = nextPrefix();
          local.put(namespace, prefix);
          declaration(prefix, namespace);
        }
      }
      sink.put(' ');
      name(prefix, attribute.getKey().name());
      value(attribute.getValue());
    }
  }

  private void declaration(@Nullable String prefix, String namespace) {
    sink.put(' ');
    if (prefix == null) {
      name(null, "xmlns");
    } else {
      name("xmlns", prefix);
    }
    value(namespace);
  }

  private void name(@Nullable String prefix, String local) {
    if (prefix != null) {
      sink.put(prefix.getBytes(UTF_8));
      sink.put(':');
    }
    sink.put(local.getBytes(UTF_8));
  }

  private void value(String value) {
    sink.put('=');
    sink.put('\'');
    XmlWriter.writeValue(value, sink);
    sink.put('\'');
  }

  private String nextPrefix() {
    generated++;
    return "ns" + generated;
  }

  // The bytes that declarations would take without prefixes.
  private static long repeatedBytes(Element element) {
    long bytes = 0;
    String namespace = element.name().namespace();
    for (QName attribute : element.attributes().keySet()) {
      if (!attribute.namespace().isEmpty()) {
        bytes += attribute.namespace().length() + DECLARATION_OVERHEAD;
      }
    }
    for (Node node : element.nodes()) {
      if (node instanceof Element child) {
        if (!child.name().namespace().equals(namespace)) {
          bytes += child.name().namespace().length() + DECLARATION_OVERHEAD;
        }
        bytes += repeatedBytes(child);
      }
    }
    return bytes;
  }

  private List<String> costliest(Element element) {
    Map<String, Long> bytes = new HashMap<>();
    count(element, bytes);
    List<String> repeated = new ArrayList<>();
    for (Map.Entry<String, Long> entry : bytes.entrySet()) {
      String namespace = entry.getKey();
      if (entry.getValue() > namespace.length() + DECLARATION_OVERHEAD
          && !prefixes.containsKey(namespace)) {
        repeated.add(namespace);
      }
    }
    repeated.sort(
        Comparator.comparing((String namespace) -> bytes.getOrDefault(namespace, 0L))
            .reversed()
            .thenComparing(Comparator.naturalOrder()));
    return repeated.subList(0, Math.min(MAX_PREFIXES, repeated.size()));
  }

  private static void count(Element element, Map<String, Long> bytes) {
    for (QName attribute : element.attributes().keySet()) {
      add(attribute.namespace(), bytes);
    }
    for (Node node : element.nodes()) {
      if (node instanceof Element child) {
        if (!child.name().namespace().equals(element.name().namespace())) {
          add(child.name().namespace(), bytes);
        }
        count(child, bytes);
      }
    }
  }

  private static void add(String namespace, Map<String, Long> bytes) {
    if (!namespace.isEmpty()) {
      bytes.merge(namespace, (long) namespace.length() + DECLARATION_OVERHEAD, Long::sum);
    }
  }
}
