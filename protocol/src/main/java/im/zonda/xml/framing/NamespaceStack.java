package im.zonda.xml.framing;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The namespace declarations in scope inside one first-level element, innermost last.
///
/// Prefixes and names are positions relative to the start of the element, so that they stay valid
/// when its bytes are moved.
final class NamespaceStack {
  private static final int FIELDS = 4;

  private int[] spans = new int[8 * FIELDS];
  private @Nullable String[] namespaces = new @Nullable String[8];
  private int size;

  int size() {
    return size;
  }

  /// Adds a declaration; an empty prefix is the default namespace.
  void declare(int prefixFrom, int prefixTo, int nameFrom, int nameTo) {
    if (size == namespaces.length) {
      spans = Arrays.copyOf(spans, 2 * spans.length);
      namespaces = Arrays.copyOf(namespaces, 2 * size);
    }
    int at = size * FIELDS;
    spans[at] = prefixFrom;
    spans[at + 1] = prefixTo;
    spans[at + 2] = nameFrom;
    spans[at + 3] = nameTo;
    namespaces[size] = null;
    size++;
  }

  /// Removes all declarations after the first `newSize`.
  void shrink(int newSize) {
    while (size > newSize) {
      namespaces[--size] = null;
    }
  }

  /// The namespace of the prefix `bytes[base + from, base + to)`; for an empty prefix the default
  /// namespace. Null if it is not declared here.
  @Nullable String resolve(byte[] bytes, int base, int from, int to) {
    for (int i = size - 1; i >= 0; i--) {
      int at = i * FIELDS;
      int length = spans[at + 1] - spans[at];
      if (length == to - from
          && (length == 0
              || Arrays.equals(
                  bytes, base + from, base + to, bytes, base + spans[at], base + spans[at + 1]))) {
        return namespace(bytes, base, i);
      }
    }
    return null;
  }

  /// The bytes of the prefix of declaration `index`.
  byte[] prefix(byte[] bytes, int base, int index) {
    int at = index * FIELDS;
    return Arrays.copyOfRange(bytes, base + spans[at], base + spans[at + 1]);
  }

  /// The namespace of declaration `index`.
  String namespace(byte[] bytes, int base, int index) {
    String known = namespaces[index];
    if (known == null) {
      int at = index * FIELDS;
      known = KnownNames.namespace(bytes, base + spans[at + 2], base + spans[at + 3]);
      namespaces[index] = known;
    }
    return known;
  }
}
