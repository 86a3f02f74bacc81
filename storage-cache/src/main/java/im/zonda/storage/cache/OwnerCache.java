package im.zonda.storage.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import im.zonda.jid.Jid;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// One value for each owner, bounded in bytes. Any thread may call.
///
/// Values that say that the store has nothing are kept apart, in a small part of the bound: anyone
/// can ask for addresses that do not exist, and must not evict what is useful with that.
final class OwnerCache<V> {
  /// The part of the bound for values that say that there is nothing.
  private static final int NEGATIVE_PART = 8;

  /// A value that takes more than this part of the bound is not kept.
  private static final int LARGEST_PART = 8;

  private final String name;
  private final WriteStamps stamps;
  private final ToLongFunction<V> size;
  private final Predicate<V> isNegative;
  private final Predicate<Jid> isKept;
  private final Cache<Jid, V> values;
  private final Cache<Jid, V> negative;
  private final long bound;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder loadNanos = new LongAdder();

  /// @param bound the maximum size, in bytes
  /// @param size the size of a value without its owner, in bytes
  /// @param isNegative whether a value says that the store has nothing
  /// @param isKept whether values of an owner may be kept; of others the database is always read
  OwnerCache(
      String name,
      WriteStamps stamps,
      long bound,
      ToLongFunction<V> size,
      Predicate<V> isNegative,
      Predicate<Jid> isKept) {
    this.name = name;
    this.stamps = stamps;
    this.size = size;
    this.isNegative = isNegative;
    this.isKept = isKept;
    this.bound = bound;
    this.negative = cache(bound / NEGATIVE_PART);
    this.values = cache(bound - bound / NEGATIVE_PART);
  }

  private Cache<Jid, V> cache(long most) {
    return Caffeine.newBuilder()
        .maximumWeight(most)
        .weigher((Jid owner, V value) -> (int) Math.min(bytes(owner, value), Integer.MAX_VALUE))
        .executor(Runnable::run)
        .recordStats()
        .build();
  }

  private long bytes(Jid owner, V value) {
    return Sizes.ENTRY + Sizes.of(owner) + size.applyAsLong(value);
  }

  /// The value, or null if it must be read. Counts as a look-up.
  @Nullable V find(Jid owner) {
    V value = peek(owner);
    (value == null ? misses : hits).increment();
    return value;
  }

  /// The same, without counting.
  @Nullable V peek(Jid owner) {
    if (!isKept.test(owner)) {
      return null;
    }
    V value = values.getIfPresent(owner);
    return value == null ? negative.getIfPresent(owner) : value;
  }

  /// Whether there is a value, without counting or allocating anything.
  boolean contains(Jid owner) {
    return values.asMap().containsKey(owner) || negative.asMap().containsKey(owner);
  }

  /// The value; read from the database if it is not here.
  V get(Jid owner, Supplier<V> reader) {
    V value = find(owner);
    return value == null ? read(owner, reader) : value;
  }

  /// Reads the value from the database, and keeps it unless it is being written.
  V read(Jid owner, Supplier<V> reader) {
    long stamp = stamps.stamp(owner);
    long start = System.nanoTime();
    V read = reader.get();
    loadNanos.add(System.nanoTime() - start);
    publish(owner, stamp, before -> read);
    return read;
  }

  /// The stamp to take before the database is read, for [#publish].
  long stamp(Jid owner) {
    return stamps.stamp(owner);
  }

  /// Changes the value by what was read, unless the owner is being written.
  ///
  /// @param merge makes the new value from the old one, which may be unknown
  void publish(Jid owner, long stamp, Function<@Nullable V, V> merge) {
    stamps.publish(owner, stamp, () -> put(owner, merge.apply(peek(owner))));
  }

  /// Puts a value that is known to be the stored one. The owner's stripe is locked.
  private void put(Jid owner, V value) {
    if (!isKept.test(owner)) {
      drop(owner);
    } else if (isNegative.test(value)) {
      values.invalidate(owner);
      negative.put(owner, value);
    } else if (bytes(owner, value) <= bound / LARGEST_PART) {
      negative.invalidate(owner);
      values.put(owner, value);
    } else {
      drop(owner);
    }
  }

  /// Counts a look-up with [#peek] that was answered.
  void countHit() {
    hits.increment();
  }

  /// Counts a read of the database by others than [#read].
  void countMiss(long nanos) {
    misses.increment();
    loadNanos.add(nanos);
  }

  /// Removes what is held of an owner.
  void drop(Jid owner) {
    values.invalidate(owner);
    negative.invalidate(owner);
  }

  /// Removes what is held of some owners.
  void dropIf(Predicate<Jid> owners) {
    values.asMap().keySet().removeIf(owners);
    negative.asMap().keySet().removeIf(owners);
  }

  /// Changes the store and then the cache.
  ///
  /// @param write makes the change
  /// @param change makes the new value from the old one, which may be unknown, and the result of
  ///   the write; null if the new value is unknown
  <T> T write(Jid owner, Supplier<T> write, Change<V, T> change) {
    WriteStamps.Write running = stamps.begin(owner);
    V before;
    T result;
    try {
      before = peek(owner);
      drop(owner);
      result = write.get();
    } catch (RuntimeException | Error e) {
      running.failed();
      throw e;
    }
    V after = change.apply(before, result);
    running.succeeded(() -> {
      if (after != null) {
        put(owner, after);
      }
    });
    return result;
  }

  /// Makes the value that is stored after a write.
  @FunctionalInterface
  interface Change<V, T> {
    @Nullable V apply(@Nullable V before, T result);
  }

  /// What it holds and has done.
  CacheStatistics statistics() {
    return new CacheStatistics(
        name,
        values.estimatedSize() + negative.estimatedSize(),
        weight(values) + weight(negative),
        bound,
        hits.sum(),
        misses.sum(),
        Duration.ofNanos(loadNanos.sum()),
        values.stats().evictionCount() + negative.stats().evictionCount());
  }

  private static long weight(Cache<?, ?> cache) {
    cache.cleanUp();
    return cache.policy().eviction().orElseThrow().weightedSize().orElseThrow();
  }
}
