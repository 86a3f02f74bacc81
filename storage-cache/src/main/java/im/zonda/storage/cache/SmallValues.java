package im.zonda.storage.cache;

import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import im.zonda.store.Stores;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The small values of an owner in memory, of all stores together: what one of them needs is read
/// with what the others will need, in one query.
final class SmallValues {
  private final Stores stores;
  private final OwnerCache<OwnerValues> cache;

  /// The stores that have been opened. Replaced, never changed.
  private volatile Set<String> names = Set.of();

  SmallValues(Stores stores, OwnerCache<OwnerValues> cache) {
    this.stores = stores;
    this.cache = cache;
  }

  /// The values of an owner.
  ///
  /// @param names the stores that were read
  /// @param values the values, by store and key; never changed
  record OwnerValues(Set<String> names, Map<String, Map<String, byte[]>> values) {
    boolean isEmpty() {
      return values.isEmpty();
    }

    Map<String, byte[]> of(String name) {
      return values.getOrDefault(name, Map.of());
    }

    /// These values with another one, or without it if that is null.
    OwnerValues with(String name, String key, byte @Nullable [] value) {
      Map<String, byte[]> changed = new HashMap<>(of(name));
      if (value == null) {
        changed.remove(key);
      } else {
        changed.put(key, value);
      }
      Map<String, Map<String, byte[]>> all = new HashMap<>(values);
      if (changed.isEmpty()) {
        all.remove(name);
      } else {
        all.put(name, changed);
      }
      return new OwnerValues(names, all);
    }

    long size() {
      long sum = Sizes.OBJECT;
      for (Map<String, byte[]> store : values.values()) {
        sum += 3 * Sizes.OBJECT;
        for (Map.Entry<String, byte[]> each : store.entrySet()) {
          sum += Sizes.OBJECT + Sizes.of(each.getKey()) + Sizes.of(each.getValue());
        }
      }
      return sum;
    }
  }

  /// The stores to read.
  Set<String> names() {
    return names;
  }

  /// Values that were read for these stores.
  static OwnerValues of(Set<String> names, Map<String, Map<String, byte[]>> read) {
    Map<String, Map<String, byte[]>> values = new HashMap<>();
    read.forEach((name, store) -> {
      if (!store.isEmpty()) {
        values.put(name, Map.copyOf(store));
      }
    });
    return new OwnerValues(names, values);
  }

  /// Opens a store.
  KeyValueStore open(String name) {
    synchronized (this) {
      if (!names.contains(name)) {
        Set<String> more = new HashSet<>(names);
        more.add(name);
        names = Set.copyOf(more);
      }
    }
    return new Store(name, stores.keyValues(name));
  }

  private Map<String, byte[]> values(Jid owner, String name) {
    OwnerValues found = cache.find(owner);
    if (found == null || !found.names().contains(name)) {
      Set<String> all = names;
      found = cache.read(owner, () -> of(all, stores.readValues(owner, all)));
    }
    return found.of(name);
  }

  private final class Store implements KeyValueStore {
    private final String name;
    private final KeyValueStore store;

    private Store(String name, KeyValueStore store) {
      this.name = name;
      this.store = store;
    }

    @Override
    public byte @Nullable [] get(Jid owner, String key) {
      byte[] value = values(owner, name).get(key);
      return value == null ? null : value.clone();
    }

    @Override
    public Map<String, byte[]> all(Jid owner) {
      Map<String, byte[]> copy = new HashMap<>();
      values(owner, name).forEach((key, value) -> copy.put(key, value.clone()));
      return copy;
    }

    @Override
    public SequencedMap<Jid, byte[]> find(
        String domain, String key, byte[] text, @Nullable Jid after, int limit) {
      return store.find(domain, key, text, after, limit);
    }

    @Override
    public void put(Jid owner, String key, byte[] value) {
      byte[] copy = value.clone();
      cache.write(
          owner,
          () -> {
            store.put(owner, key, copy);
            return true;
          },
          (before, done) -> before == null ? null : before.with(name, key, copy));
    }

    @Override
    public boolean remove(Jid owner, String key) {
      return cache.write(
          owner,
          () -> store.remove(owner, key),
          (before, done) -> before == null ? null : before.with(name, key, null));
    }
  }
}
