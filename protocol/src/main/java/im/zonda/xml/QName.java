package im.zonda.xml;

import org.jspecify.annotations.Nullable;

/// The name of an element or attribute: namespace and local name.
///
/// @param namespace the namespace name; empty for "no namespace"
/// @param name the local name
public record QName(String namespace, String name) {
  // Names that the server knows are shared objects, so that the first line decides nearly always.
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof QName that
            && name.equals(that.name)
            && namespace.equals(that.namespace));
  }

  @Override
  public int hashCode() {
    return 31 * namespace.hashCode() + name.hashCode();
  }
}
