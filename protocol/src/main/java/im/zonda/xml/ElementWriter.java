package im.zonda.xml;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes one element tree and decides where namespaces are declared and what is escaped.
///
/// The usual form declares namespaces where they change and escapes all that could end a value. A
/// tree for which that form would be much longer than necessary is written in the *compact* form:
/// namespaces that would be declared often have prefixes, declared once at the top, a value has the
/// quotes that it contains less often, and only what XML requires is escaped. A peer can therefore
/// not make the server write much more than it has sent ([WrittenSize]).
///
/// Recursive: the framer bounds the depth of a tree from a peer.
final class ElementWriter {
  private final ByteSink sink;
  // Prefixes for elements and attributes anywhere in the tree, by namespace.
  private final Map<String, String> shared = new HashMap<>();
  // Prefixes that elements around the current one have declared for their attributes.
  private final Map<String, String> local = new HashMap<>();
  private boolean compact;

  ElementWriter(ByteSink sink) {
    this.sink = sink;
    shared.put(XmlNamespaces.XML, "xml");
  }

  /// Writes the tree in the scope of the default namespace.
  void write(Element element, String defaultNamespace) {
    WrittenSize size = WrittenSize.of(element, defaultNamespace, shared);
    Map<String, String> declared = Map.of();
    if (size.isMuchLongerThanNecessary()) {
      compact = true;
      declared = size.prefixes();
      shared.putAll(declared);
    }
    element(element, defaultNamespace, declared);
  }

  private void element(Element element, String outerNamespace, Map<String, String> declared) {
    String namespace = element.name().namespace();
    String prefix = namespace.equals(outerNamespace) ? null : shared.get(namespace);
    String inner = prefix == null ? namespace : outerNamespace;
    sink.put('<');
    name(prefix, element.name().name());
    if (!inner.equals(outerNamespace)) {
      declaration(null, namespace);
    }
    declared.forEach((name, sharedPrefix) -> declaration(sharedPrefix, name));
    Map<String, String> here =
        element.attributes().isEmpty() ? Map.of() : attributes(element.attributes());
    if (element.nodes().isEmpty()) {
      sink.put('/');
      sink.put('>');
    } else {
      sink.put('>');
      for (Node node : element.nodes()) {
        switch (node) {
          case Element child -> element(child, inner, Map.of());
          case Text text -> XmlEscapes.text(text.value(), compact, sink);
        }
      }
      sink.put('<');
      sink.put('/');
      name(prefix, element.name().name());
      sink.put('>');
    }
    here.keySet().forEach(local::remove);
  }

  // Returns the prefixes that the attributes have declared.
  private Map<String, String> attributes(Map<QName, String> attributes) {
    Map<String, String> declared = Map.of();
    for (Map.Entry<QName, String> attribute : attributes.entrySet()) {
      String namespace = attribute.getKey().namespace();
      String prefix = null;
      if (!namespace.isEmpty()) {
        prefix = shared.get(namespace);
        if (prefix == null) {
          prefix = local.get(namespace);
        }
        if (prefix == null) {
          prefix = "ns" + (local.size() + 1);
          if (declared.isEmpty()) {
            declared = new HashMap<>();
          }
          declared.put(namespace, prefix);
          local.put(namespace, prefix);
          declaration(prefix, namespace);
        }
      }
      sink.put(' ');
      name(prefix, attribute.getKey().name());
      value(attribute.getValue());
    }
    return declared;
  }

  private void declaration(@Nullable String prefix, String namespace) {
    sink.put(' ');
    if (prefix == null) {
      name(null, "xmlns");
    } else {
      name("xmlns", prefix);
    }
    sink.put('=');
    // Names of namespaces are limited as they are written: none may get longer.
    XmlEscapes.value(namespace, true, sink);
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
    XmlEscapes.value(value, compact, sink);
  }
}
