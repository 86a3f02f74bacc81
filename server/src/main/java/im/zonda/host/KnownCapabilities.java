package im.zonda.host;

import im.zonda.jid.Jid;
import im.zonda.session.CapabilityCache;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Keeps the features that were used last, in bounded memory. One user adds a few at most, so that
/// nobody can displace what others use. Thread-safe.
final class KnownCapabilities implements CapabilityCache {
  /// Hashes that one user can add.
  static final int OF_USER = 8;

  /// Features larger than this are not kept, in characters.
  static final int MAX_SIZE = 32_768;

  /// The size of all features together, in characters.
  static final int MAX_TOTAL = 4_194_304;

  private static final int OVERHEAD = 64;

  private record Entry(Set<String> features, Jid source, int size) {}

  // Guarded by this object's monitor.
  private final Map<Key, Entry> entries = new LinkedHashMap<>(64, 0.75f, true);
  private final Map<Jid, Deque<Key>> bySource = new HashMap<>();
  private int total;

  @Override
  public synchronized @Nullable Set<String> find(Key key) {
    Entry entry = entries.get(key);
    return entry == null ? null : entry.features;
  }

  @Override
  public synchronized void add(Key key, Set<String> features, Jid source) {
    int size =
        OVERHEAD
            + key.hash().length()
            + features.stream().mapToInt(feature -> OVERHEAD + feature.length()).sum();
    if (size > MAX_SIZE || entries.containsKey(key)) {
      return;
    }
    Deque<Key> own = bySource.computeIfAbsent(source, missing -> new ArrayDeque<>(1));
    own.addLast(key);
    entries.put(key, new Entry(Set.copyOf(features), source, size));
    total += size;
    if (own.size() > OF_USER) {
      remove(own.getFirst());
    }
    while (total > MAX_TOTAL) {
      remove(entries.keySet().iterator().next());
    }
  }

  private void remove(Key key) {
    Entry removed = entries.remove(key);
    if (removed != null) {
      total -= removed.size;
      Deque<Key> own = bySource.get(removed.source);
      if (own != null && own.remove(key) && own.isEmpty()) {
        bySource.remove(removed.source);
      }
    }
  }

  /// The size of what is kept, in characters.
  synchronized int size() {
    return total;
  }
}
