package im.zonda.file.object;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// An object store in memory that can no more than S3 and its like: an object is put as a whole and
/// never changed or renamed, a part of it is got, it is deleted without a condition, and keys are
/// listed in their order, a page at a time.
final class Bucket {
  private static final int PAGE = 3;

  private final NavigableMap<String, Stored> objects = new TreeMap<>();
  private final InstantSource clock;

  Bucket(InstantSource clock) {
    this.clock = clock;
  }

  /// @param modified when it was put, by the clock of the store
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Stored(byte[] bytes, Instant modified) {}

  record Listed(String key, Instant modified) {}

  synchronized void put(String key, byte[] bytes) {
    objects.put(key, new Stored(bytes.clone(), clock.instant()));
  }

  /// A part of an object; null if there is none.
  synchronized byte @Nullable [] get(String key, int offset, int length) {
    Stored stored = objects.get(key);
    return stored == null ? null : Arrays.copyOfRange(stored.bytes, offset, offset + length);
  }

  synchronized void delete(String key) {
    objects.remove(key);
  }

  /// A page of the keys with a prefix that come after a key; the last page is not full.
  synchronized List<Listed> list(String prefix, String after) {
    List<Listed> page = new ArrayList<>();
    String start = after.compareTo(prefix) < 0 ? prefix : after;
    for (var each : objects.tailMap(start, !start.equals(after)).entrySet()) {
      if (page.size() == PAGE || !each.getKey().startsWith(prefix)) {
        break;
      }
      page.add(new Listed(each.getKey(), each.getValue().modified()));
    }
    return page;
  }

  static boolean isLast(List<Listed> page) {
    return page.size() < PAGE;
  }

  synchronized int size() {
    return objects.size();
  }
}
