package im.zonda.bench.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Sizes of the rooms of a trace over time.
public final class Occupancy {
  private final List<long[]> enters = new ArrayList<>();
  private final List<long[]> leaves = new ArrayList<>();
  private final int[] peaks;

  /// Sorts the entries and departures of each room.
  public Occupancy(Trace trace) {
    int rooms = trace.rooms().size();
    int[] counts = new int[rooms];
    for (Trace.Stay stay : trace.stays()) {
      counts[stay.room()]++;
    }
    for (int count : counts) {
      enters.add(new long[count]);
      leaves.add(new long[count]);
    }
    for (Trace.Stay stay : trace.stays()) {
      int place = --counts[stay.room()];
      enters.get(stay.room())[place] = stay.from();
      leaves.get(stay.room())[place] = stay.until();
    }
    peaks = new int[rooms];
    for (int room = 0; room < rooms; room++) {
      Arrays.sort(enters.get(room));
      Arrays.sort(leaves.get(room));
      peaks[room] = peak(enters.get(room), leaves.get(room));
    }
  }

  /// The most intervals that hold at one time.
  ///
  /// @param from sorted
  /// @param until sorted
  static int peak(long[] from, long[] until) {
    int most = 0;
    int left = 0;
    for (int i = 0; i < from.length; i++) {
      while (until[left] <= from[i]) {
        left++;
      }
      most = Math.max(most, i + 1 - left);
    }
    return most;
  }

  /// The number of players in a room at a time.
  public int at(int room, long millis) {
    return upTo(enters.get(room), millis) - upTo(leaves.get(room), millis);
  }

  /// The number of times that are not after that one.
  private static int upTo(long[] times, long millis) {
    int low = 0;
    int high = times.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (times[middle] <= millis) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// The most players of each room at one time, by the index of the room.
  public int[] peaks() {
    return peaks.clone();
  }

  /// The most players of any room at one time.
  public int largest() {
    return Arrays.stream(peaks).max().orElse(0);
  }

  /// The number of receivers of a message: all in the room, the sender too; 1 for a message to a
  /// player.
  public int copies(Trace.Message message) {
    return message.direct() ? 1 : at(message.place(), message.millis());
  }
}
