package im.zonda.xml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The number of characters of a tree when it is written, and of those that are unnecessary:
/// declarations of a namespace after its first one, and escapes that XML does not require.
///
/// What a peer has sent is at least as long as the necessary part, apart from prefixes that only
/// the header of its stream declares and from CDATA sections.
final class WrittenSize {
  // A peer may make the server write half as much again as is necessary, and these characters.
  private static final int ALLOWANCE = 512;
  private static final int MAX_REPEATED = 8_192;
  // Peers limit how many declarations are in scope at one place; prefixes are declared once.
  private static final int MAX_SCOPE = 16;
  // All have one letter, so that a prefix takes less than the shortest element, `<a/>`.
  private static final int MAX_PREFIXES = 24;
  private static final int DECLARATION_OVERHEAD = 9;

  private final Map<String, String> known;
  // The declarations of each namespace without prefixes.
  private final Map<String, Integer> declarations = new HashMap<>();
  private long necessary;
  private long repeated;
  private long escapes;
  private int maxScope;

  private WrittenSize(Map<String, String> known) {
    this.known = known;
  }

  /// Counts a tree in the scope of the default namespace and of the prefixes `known`, by namespace.
  static WrittenSize of(Element element, String defaultNamespace, Map<String, String> known) {
    WrittenSize size = new WrittenSize(known);
    size.element(element, defaultNamespace, 0);
    return size;
  }

  /// Whether the usual form takes so much more than necessary that the compact one is better.
  boolean isMuchLongerThanNecessary() {
    return repeated > MAX_REPEATED
        || maxScope > MAX_SCOPE
        || isMuchLonger(repeated + escapes, necessary);
  }

  /// Whether the unnecessary bytes are many in relation to the necessary ones.
  static boolean isMuchLonger(long unnecessary, long necessary) {
    return unnecessary > ALLOWANCE + necessary / 2;
  }

  /// Prefixes of the namespaces whose repeated declarations take most, by namespace.
  Map<String, String> prefixes() {
    List<String> namespaces = new ArrayList<>();
    declarations.forEach((namespace, count) -> {
      // No namespace cannot have a prefix.
      if (count > 1 && !namespace.isEmpty()) {
        namespaces.add(namespace);
      }
    });
    namespaces.sort(
        Comparator.comparingLong(this::declarationBytes)
            .reversed()
            .thenComparing(Comparator.naturalOrder()));
    Map<String, String> prefixes = new HashMap<>();
    for (String namespace : namespaces.subList(0, Math.min(MAX_PREFIXES, namespaces.size()))) {
      prefixes.put(namespace, Character.toString('a' + prefixes.size()));
    }
    return prefixes;
  }

  private long declarationBytes(String namespace) {
    return (long) declarations.getOrDefault(namespace, 0)
        * (namespace.length() + DECLARATION_OVERHEAD);
  }

  private void element(Element element, String outer, int outerScope) {
    String namespace = element.name().namespace();
    String inner = namespace;
    int scope = outerScope;
    if (!namespace.equals(outer)) {
      if (known.containsKey(namespace)) {
        inner = outer;
      } else {
        declaration(namespace);
        scope++;
      }
    }
    // Without the end tag, which an element without content does not have.
    necessary += element.name().name().length() + 3L;
    for (Map.Entry<QName, String> attribute : element.attributes().entrySet()) {
      QName name = attribute.getKey();
      if (!name.namespace().isEmpty() && !known.containsKey(name.namespace())) {
        declaration(name.namespace());
        scope++;
      }
      necessary += name.name().length() + 4L;
      value(attribute.getValue());
    }
    maxScope = Math.max(maxScope, scope);
    for (Node node : element.nodes()) {
      switch (node) {
        case Element child -> element(child, inner, scope);
        case Text text -> {
          necessary += text.value().length();
          escapes += XmlEscapes.unnecessaryInText(text.value());
        }
      }
    }
  }

  private void declaration(String namespace) {
    int before = declarations.merge(namespace, 1, Integer::sum) - 1;
    if (before == 0) {
      necessary += DECLARATION_OVERHEAD;
      value(namespace);
    } else {
      repeated += namespace.length() + DECLARATION_OVERHEAD;
    }
  }

  private void value(String value) {
    necessary += value.length();
    escapes += XmlEscapes.unnecessaryInValue(value);
  }
}
