package im.zonda.throttle;

import im.zonda.hash.HashFunction;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;

/// Counts for any number of keys that drain at a steady rate, in memory of a fixed size.
///
/// A table of sets with [#WAYS] places each. A key belongs to one set; when that is full, a new key
/// takes the place of the lowest count. So the highest counts stay, and forgetting a key costs as
/// many events for others as it has counted itself. Where a key belongs depends on a seed: no one
/// can choose keys that push out a certain other one. Not safe for use by several threads.
final class DrainingCounts {
  private static final int WAYS = 8;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /// Milliseconds by which the clocks of threads may differ.
  private static final long CLOCK_DIFFERENCE = 60_000;

  private final byte[] seed;
  private final double drainedPerMilli;
  private final long[] keys;
  private final double[] counts;
  private final long[] times;

  /// @param entries how many keys have a place; rounded up to a power of two
  /// @param each the time in which a count goes down by one
  /// @param seed a secret
  DrainingCounts(int entries, Duration each, String seed) {
    int places = Math.max(WAYS, Integer.highestOneBit(Math.max(1, entries - 1)) << 1);
    this.seed = seed.getBytes(StandardCharsets.UTF_8);
    this.drainedPerMilli = (double) NANOS_PER_MILLI / each.toNanos();
    this.keys = new long[places];
    this.counts = new double[places];
    this.times = new long[places];
  }

  /// The key of a text.
  long keyOf(String text) {
    MessageDigest digest = HashFunction.SHA_256.begin();
    digest.update(seed);
    byte[] hash = digest.digest(text.getBytes(StandardCharsets.UTF_8));
    long key = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      key = key << 8 | (hash[i] & 0xff);
    }
    return key == 0 ? 1 : key; // 0 marks an empty place
  }

  /// The count of a key at a time in milliseconds.
  double get(long key, long now) {
    int place = find(key);
    return place < 0 ? 0 : count(place, now);
  }

  /// Adds to a count, which stays between 0 and `most`; returns the new count.
  double add(long key, double amount, double most, long now) {
    int found = find(key);
    int place = found;
    double before = place < 0 ? 0 : count(place, now);
    // A bound that has become lower does not take away what was counted.
    double after =
        amount <= 0
            ? Math.max(0, before + amount)
            : Math.max(before, Math.min(most, before + amount));
    if (place < 0) {
      if (after == 0) {
        return 0;
      }
      place = lowest(key, now);
      keys[place] = key;
    }
    counts[place] = after;
    times[place] = place == found ? Math.max(times[place], now) : now;
    return after;
  }

  /// The number of places, which never changes.
  int places() {
    return keys.length;
  }

  private double count(int place, long now) {
    long elapsed = now - times[place];
    if (elapsed < -CLOCK_DIFFERENCE) {
      times[place] = now; // the clock was set back: nothing waits until it is as late again
    }
    return Math.max(0, counts[place] - Math.max(0, elapsed) * drainedPerMilli);
  }

  private int find(long key) {
    int first = set(key);
    for (int i = first; i < first + WAYS; i++) {
      if (keys[i] == key) {
        return i;
      }
    }
    return -1;
  }

  private int lowest(long key, long now) {
    int first = set(key);
    int lowest = first;
    for (int i = first + 1; i < first + WAYS; i++) {
      if (count(i, now) < count(lowest, now)) {
        lowest = i;
      }
    }
    return lowest;
  }

  private int set(long key) {
    return (int) (key & (keys.length / WAYS - 1)) * WAYS;
  }
}
