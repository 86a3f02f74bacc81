package im.zonda.xml;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The attributes of an element in document order. Arrays, because most elements have at most two
/// attributes and a hash table takes ten times as much memory. Immutable.
final class AttributeMap extends AbstractMap<QName, String> {
  private final QName[] names;
  private final String[] values;

  /// Takes ownership of both arrays, which must have the same length; names must be unique.
  AttributeMap(QName[] names, String[] values) {
    this.names = names;
    this.values = values;
  }

  @Override
  public int size() {
    return names.length;
  }

  @Override
  public @Nullable String get(@Nullable Object key) {
    for (int i = 0; i < names.length; i++) {
      if (names[i].equals(key)) {
        return values[i];
      }
    }
    return null;
  }

  /// The value of the attribute with this local name and no namespace, or null.
  @Nullable String get(String localName) {
    for (int i = 0; i < names.length; i++) {
      if (names[i].namespace().isEmpty() && names[i].name().equals(localName)) {
        return values[i];
      }
    }
    return null;
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return get(key) != null;
  }

  @Override
  public Set<Map.Entry<QName, String>> entrySet() {
    return new Entries();
  }

  private final class Entries extends AbstractSet<Map.Entry<QName, String>> {
    @Override
    public int size() {
      return names.length;
    }

    @Override
    public Iterator<Map.Entry<QName, String>> iterator() {
      return new EntryIterator();
    }
  }

  private final class EntryIterator implements Iterator<Map.Entry<QName, String>> {
    private int next;

    @Override
    public boolean hasNext() {
      return next < names.length;
    }

    @Override
    public Map.Entry<QName, String> next() {
      if (next >= names.length) {
        throw new NoSuchElementException();
      }
      Map.Entry<QName, String> entry = Map.entry(names[next], values[next]);
      next++;
      return entry;
    }
  }
}
