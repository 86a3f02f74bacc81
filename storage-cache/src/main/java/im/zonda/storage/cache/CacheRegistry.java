package im.zonda.storage.cache;

import im.zonda.config.limits.HeapShare;
import im.zonda.jid.Jid;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/// The caches of a server: what they hold and have done, and the one way to drop an owner from all
/// of them. Together they keep within one share of the heap. Any thread may call.
public final class CacheRegistry {
  private final long bytes;
  private final WriteStamps stamps;
  private final List<OwnerCache<?>> caches = new ArrayList<>();

  /// @param configured the maximum size of all caches together, in bytes
  /// @param heap the maximum size of the heap, in bytes
  CacheRegistry(long configured, long heap, InstantSource clock) {
    this.bytes = HeapShare.CACHES.bound(configured, heap);
    this.stamps = new WriteStamps(clock);
  }

  /// Makes a cache. Not thread-safe: all are made at the start.
  ///
  /// @param sixteenths its part of the bytes of all caches
  /// @param isKept whether values of an owner may be kept
  <V> OwnerCache<V> open(
      String name,
      int sixteenths,
      ToLongFunction<V> size,
      Predicate<V> isNegative,
      Predicate<Jid> isKept) {
    OwnerCache<V> made =
        new OwnerCache<>(name, stamps, bytes / 16 * sixteenths, size, isNegative, isKept);
    caches.add(made);
    return made;
  }

  WriteStamps stamps() {
    return stamps;
  }

  /// What each cache holds and has done.
  public List<CacheStatistics> statistics() {
    return caches.stream().map(OwnerCache::statistics).toList();
  }

  /// Drops everything of an owner. What is being read at this moment is not kept either.
  public void drop(Jid owner) {
    changeAll(List.of(owner), () -> true);
  }

  /// Drops everything of some owners, such as those whose homes have come from other nodes. What is
  /// being read at this moment is not kept either. Takes time for each value in memory.
  public void dropIf(Predicate<Jid> owners) {
    stamps.invalidateAll();
    caches.forEach(cache -> cache.dropIf(owners));
  }

  /// Makes a change after which nothing is known of these owners.
  <T> T changeAll(List<Jid> owners, Supplier<T> change) {
    List<WriteStamps.Write> writes = new ArrayList<>(owners.size());
    boolean done = false;
    try {
      for (Jid owner : owners) {
        writes.add(stamps.begin(owner));
        caches.forEach(cache -> cache.drop(owner));
      }
      T result = change.get();
      done = true;
      return result;
    } finally {
      for (WriteStamps.Write write : writes) {
        if (done) {
          write.succeeded(() -> {});
        } else {
          write.failed();
        }
      }
    }
  }
}
