package im.zonda.storage.sql.archive;

import java.util.function.LongConsumer;

/// Entries that are not in a slice of the index yet, in the order in which they were added, which
/// is nearly that of their ids. The writer adds; any thread may read what has been published.
final class ArchiveRun {
  /// Bits of a row's position in a run.
  static final int PLACE_BITS = 12;

  static final int ROWS = 1 << PLACE_BITS;

  private final long[] owners = new long[ROWS];
  private final long[] ids = new long[ROWS];
  private final int[] withs = new int[ROWS];
  private long lowest = Long.MAX_VALUE;
  private long highest = Long.MIN_VALUE;
  private int added;
  private volatile int size;

  /// Adds a row, which no other thread sees yet.
  void add(long owner, long id, int with) {
    owners[added] = owner;
    ids[added] = id;
    withs[added] = with;
    added++;
    lowest = Math.min(lowest, id);
    highest = Math.max(highest, id);
  }

  /// Whether no more rows can be added.
  boolean isFull() {
    return added == ROWS;
  }

  /// Publishes the added rows: they are durable.
  void publish() {
    size = added;
  }

  /// Removes the rows that are not published.
  void discard() {
    added = size;
  }

  long owner(int place) {
    return owners[place];
  }

  long id(int place) {
    return ids[place];
  }

  int with(int place) {
    return withs[place];
  }

  /// Not above the id of any row, also of those that are not published.
  long lowest() {
    return lowest;
  }

  /// Not below the id of any row, also of those that are not published.
  long highest() {
    return highest;
  }

  /// Passes the ids of an owner in the range to `taker`.
  ///
  /// @param all whether those that are not published are included; for the writer only
  void forEach(long owner, ArchiveRange range, boolean all, LongConsumer taker) {
    int end = all ? added : size;
    for (int i = 0; i < end; i++) {
      if (owners[i] == owner && range.matches(ids[i], withs[i])) {
        taker.accept(ids[i]);
      }
    }
  }
}
