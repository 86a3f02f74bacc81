package im.zonda.journal.recording;

import java.util.Arrays;

/// The number of events of each sender in the present hour. Senders with the same hash share one
/// number, so that memory does not grow with the senders. Safe for use by several threads.
final class SenderShares {
  private static final long HOUR_MILLIS = 3_600_000;
  private static final int SLOTS = 4_096;

  private final int most;

  // Guarded by this object's monitor.
  private final int[] counts = new int[SLOTS];
  private long hour;

  /// @param most how many a sender has in an hour
  SenderShares(int most) {
    this.most = most;
  }

  /// Counts an event; false if its sender has had as many as it may.
  ///
  /// @param sender a hash of the sender
  /// @param now the time in ms
  synchronized boolean take(int sender, long now) {
    long present = now / HOUR_MILLIS;
    if (present != hour) {
      hour = present;
      Arrays.fill(counts, 0);
    }
    int slot = Math.floorMod(sender, SLOTS);
    if (counts[slot] >= most) {
      return false;
    }
    counts[slot]++;
    return true;
  }
}
