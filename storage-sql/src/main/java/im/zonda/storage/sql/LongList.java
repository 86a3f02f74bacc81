package im.zonda.storage.sql;

import java.util.Arrays;

/// A growing list of numbers without an object for each.
final class LongList {
  private long[] values = new long[64];
  private int size;

  void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size * 2);
    }
    values[size++] = value;
  }

  long get(int index) {
    return values[index];
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }
}
