package im.zonda.net.bosh;

/// The bytes of elements that wait. The largest one does not count against a bound: one stanza
/// passes however large it is, or its stream would end again whenever it is sent again.
/// Thread-safe.
final class WaitingBytes {
  private long bytes;

  /// The largest since nothing waited.
  private int largest;

  /// Adds an element.
  synchronized void add(int size) {
    largest = bytes == 0 ? size : Math.max(largest, size);
    bytes += size;
  }

  /// Removes an element.
  synchronized void remove(int size) {
    bytes -= size;
  }

  /// Removes all.
  synchronized void clear() {
    bytes = 0;
  }

  /// Whether more than `limit` bytes wait beside the largest element.
  synchronized boolean exceeds(int limit) {
    return bytes - largest > limit;
  }

  /// How many bytes wait.
  synchronized long get() {
    return bytes;
  }
}
