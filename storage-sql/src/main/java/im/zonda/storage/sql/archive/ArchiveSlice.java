package im.zonda.storage.sql.archive;

import java.util.Arrays;
import java.util.List;

/// Several runs, sorted in the orders of the two index tables. Adjacent rows are written together,
/// which makes the index cheap.
final class ArchiveSlice {
  private static final int PLACE_BITS = ArchiveRun.PLACE_BITS + 4;

  /// The runs of a slice.
  static final int RUNS = 1 << (PLACE_BITS - ArchiveRun.PLACE_BITS);

  private static final long PLACE_MASK = (1L << PLACE_BITS) - 1;

  private final List<ArchiveRun> runs;
  private final int[] byTime;
  private final int[] byPeer;

  /// @param runs [#RUNS] full runs
  ArchiveSlice(List<ArchiveRun> runs) {
    this.runs = List.copyOf(runs);
    int size = runs.size() * ArchiveRun.ROWS;
    long[] keys = new long[size];
    for (int place = 0; place < size; place++) {
      keys[place] = owner(place) << PLACE_BITS | place;
    }
    Arrays.sort(keys);
    byTime = places(keys);
    // Sorts each owner's rows by other party; the order of owners does not change.
    for (int i = 0; i < size; i++) {
      keys[i] = (long) peer(byTime[i]) << PLACE_BITS | byTime[i];
    }
    for (int from = 0; from < size; ) {
      int to = from + 1;
      while (to < size && owner(byTime[to]) == owner(byTime[from])) {
        to++;
      }
      Arrays.sort(keys, from, to);
      from = to;
    }
    byPeer = places(keys);
  }

  private static int[] places(long[] keys) {
    int[] places = new int[keys.length];
    for (int i = 0; i < places.length; i++) {
      places[i] = (int) (keys[i] & PLACE_MASK);
    }
    return places;
  }

  int size() {
    return byTime.length;
  }

  /// The position of the row with this rank by owner and id.
  int byTime(int rank) {
    return byTime[rank];
  }

  /// The position of the row with this rank by owner, other party and id.
  int byPeer(int rank) {
    return byPeer[rank];
  }

  long owner(int place) {
    return run(place).owner(place & (ArchiveRun.ROWS - 1));
  }

  long id(int place) {
    return run(place).id(place & (ArchiveRun.ROWS - 1));
  }

  int peer(int place) {
    return run(place).peer(place & (ArchiveRun.ROWS - 1));
  }

  int resource(int place) {
    return run(place).resource(place & (ArchiveRun.ROWS - 1));
  }

  /// The highest id.
  long last() {
    return runs.getLast().last();
  }

  private ArchiveRun run(int place) {
    return runs.get(place >> ArchiveRun.PLACE_BITS);
  }
}
