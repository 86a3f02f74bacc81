package im.zonda.storage.cache;

import java.time.Duration;

/// The present size of a cache, and its counters since the start.
///
/// @param name a lower-case word
/// @param entries the number of entries
/// @param bytes their estimated size
/// @param bound the maximum of `bytes`
/// @param hits look-ups that were answered from the cache
/// @param misses look-ups that had to read the database
/// @param loadTime the time that reading took, all misses together
/// @param evictions entries removed to keep the bound
public record CacheStatistics(
    String name,
    long entries,
    long bytes,
    long bound,
    long hits,
    long misses,
    Duration loadTime,
    long evictions) {
  /// The part of the look-ups that were hits, from 0 to 1; 0 if there was none.
  public double hitRate() {
    return hits + misses == 0 ? 0 : (double) hits / (hits + misses);
  }
}
