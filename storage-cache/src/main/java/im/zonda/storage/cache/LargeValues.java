package im.zonda.storage.cache;

import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// A key-value store whose values may be large, in memory value by value. [#all] reads the
/// database.
record LargeValues(KeyValueStore store, OwnerCache<LargeValues.Known> cache)
    implements KeyValueStore {
  /// Of more keys of an owner nothing is remembered: an owner may ask for any.
  private static final int MAX_KEYS = 16;

  /// What is known of an owner's values.
  ///
  /// @param values the values by key, empty if there is none; never changed
  record Known(Map<String, Optional<byte[]>> values) {
    boolean isNegative() {
      return values.values().stream().allMatch(Optional::isEmpty);
    }

    static Known with(@Nullable Known before, String key, byte @Nullable [] value) {
      Map<String, Optional<byte[]>> all = new HashMap<>();
      if (before != null && before.values.size() < MAX_KEYS) {
        all.putAll(before.values);
      }
      all.put(key, Optional.ofNullable(value));
      return new Known(all);
    }

    long size() {
      long sum = Sizes.OBJECT;
      for (Map.Entry<String, Optional<byte[]>> each : values.entrySet()) {
        sum += 2 * Sizes.OBJECT + Sizes.of(each.getKey());
        sum += each.getValue().map(Sizes::of).orElse(0L);
      }
      return sum;
    }
  }

  @Override
  public byte @Nullable [] get(Jid owner, String key) {
    Known known = cache.peek(owner);
    Optional<byte[]> value = known == null ? null : known.values.get(key);
    if (value == null) {
      return read(owner, key);
    }
    cache.countHit();
    return value.map(byte[]::clone).orElse(null);
  }

  private byte @Nullable [] read(Jid owner, String key) {
    long stamp = cache.stamp(owner);
    long start = System.nanoTime();
    byte[] value = store.get(owner, key);
    cache.countMiss(System.nanoTime() - start);
    byte[] copy = value == null ? null : value.clone();
    cache.publish(owner, stamp, before -> Known.with(before, key, copy));
    return value;
  }

  @Override
  public Map<String, byte[]> all(Jid owner) {
    return store.all(owner);
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
        (before, done) -> Known.with(before, key, copy));
  }

  @Override
  public boolean remove(Jid owner, String key) {
    return cache.write(
        owner, () -> store.remove(owner, key), (before, done) -> Known.with(before, key, null));
  }
}
