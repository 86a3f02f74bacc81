package im.zonda.storage.sql.archive;

import java.util.Arrays;
import java.util.List;

/// Several runs, sorted in the order of the index: each entry twice, by time and by other party.
final class ArchiveSlice {
  private static final int PLACE_BITS = ArchiveRun.PLACE_BITS + 4;

  /// The runs of a slice.
  static final int RUNS = 1 << (PLACE_BITS - ArchiveRun.PLACE_BITS);

  private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;

  private final List<ArchiveRun> runs;

  /// The places of the rows, by owner and id.
  private final int[] byTime;

  /// The places of the rows, by owner, other party and id.
  private final int[] byPeer;

  /// The rank in the two orders at which the rows of each owner begin; then the number of rows.
  private final int[] owners;

  /// @param runs [#RUNS] full runs
  ArchiveSlice(List<ArchiveRun> runs) {
    this.runs = List.copyOf(runs);
    int size = runs.size() << ArchiveRun.PLACE_BITS;
    long[] keys = new long[size];
    for (int place = 0; place < size; place++) {
      keys[place] = owner(place) << PLACE_BITS | place;
    }
    Arrays.sort(keys);
    byTime = new int[size];
    byPeer = new int[size];
    for (int i = 0; i < size; i++) {
      byTime[i] = (int) keys[i] & PLACE_MASK;
    }
    int count = 0;
    int[] starts = new int[size + 1];
    for (int from = 0; from < size; ) {
      int to = from + 1;
      while (to < size && owner(byTime[to]) == owner(byTime[from])) {
        to++;
      }
      starts[count++] = from;
      sortById(from, to);
      for (int i = from; i < to; i++) {
        keys[i] = (long) IndexKey.bare(with(byTime[i])) << PLACE_BITS | (i - from);
      }
      Arrays.sort(keys, from, to);
      for (int i = from; i < to; i++) {
        byPeer[i] = byTime[from + ((int) keys[i] & PLACE_MASK)];
      }
      from = to;
    }
    starts[count] = size;
    owners = Arrays.copyOf(starts, count + 1);
  }

  /// Insertion sort: rows are nearly in the order of their ids.
  private void sortById(int from, int to) {
    for (int i = from + 1; i < to; i++) {
      int place = byTime[i];
      int at = i;
      while (at > from && id(byTime[at - 1]) > id(place)) {
        byTime[at] = byTime[at - 1];
        at--;
      }
      byTime[at] = place;
    }
  }

  /// Receives entries in the order of the index.
  interface Taker<E extends Exception> {
    void take(long key, long id, int resource) throws E;
  }

  /// The number of rows.
  int rows() {
    return byTime.length;
  }

  /// The number of owners.
  int owners() {
    return owners.length - 1;
  }

  /// The number of rows of the owners before this one.
  int rowsBefore(int owner) {
    return owners[owner];
  }

  /// Passes the entries of one of the owners on.
  <E extends Exception> void forEach(int owner, Taker<E> taker) throws E {
    int from = owners[owner];
    int to = owners[owner + 1];
    long number = owner(byTime[from]);
    for (int i = from; i < to; i++) {
      taker.take(IndexKey.byTime(number), id(byTime[i]), 0);
    }
    for (int i = from; i < to; i++) {
      int with = with(byPeer[i]);
      taker.take(IndexKey.byPeer(number, with), id(byPeer[i]), IndexKey.resource(with));
    }
  }

  /// The lowest id.
  long first() {
    return runs.stream().mapToLong(ArchiveRun::lowest).min().orElseThrow();
  }

  /// The highest id.
  long last() {
    return runs.stream().mapToLong(ArchiveRun::highest).max().orElseThrow();
  }

  private long owner(int place) {
    return run(place).owner(place & (ArchiveRun.ROWS - 1));
  }

  private long id(int place) {
    return run(place).id(place & (ArchiveRun.ROWS - 1));
  }

  private int with(int place) {
    return run(place).with(place & (ArchiveRun.ROWS - 1));
  }

  private ArchiveRun run(int place) {
    return runs.get(place >> ArchiveRun.PLACE_BITS);
  }
}
