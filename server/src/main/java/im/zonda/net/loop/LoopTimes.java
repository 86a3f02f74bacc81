package im.zonda.net.loop;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/// Counts of the work of one event loop: its own thread counts, any thread reads. Times are in ns.
final class LoopTimes {
  /// The longest turns are kept for each of some windows, which are a minute together.
  private static final int WINDOWS = 12;

  private static final long WINDOW = TimeUnit.MINUTES.toNanos(1) / WINDOWS;

  private final AtomicLong events = new AtomicLong();
  private final AtomicLong busy = new AtomicLong();

  /// The longest turn of a window, and which window it is, by [System#nanoTime].
  private final AtomicLongArray longest = new AtomicLongArray(WINDOWS);

  private final AtomicLongArray window = new AtomicLongArray(WINDOWS);

  /// A turn has ended.
  ///
  /// @param took how long it took
  /// @param now by [System#nanoTime]
  void turn(int handled, long took, long now) {
    events.setOpaque(events.getPlain() + handled);
    busy.setOpaque(busy.getPlain() + took);
    long current = Math.floorDiv(now, WINDOW);
    int place = (int) Math.floorMod(current, (long) WINDOWS);
    if (window.getPlain(place) != current) {
      longest.setOpaque(place, took);
      window.setOpaque(place, current);
    } else if (took > longest.getPlain(place)) {
      longest.setOpaque(place, took);
    }
  }

  long events() {
    return events.getOpaque();
  }

  long busy() {
    return busy.getOpaque();
  }

  /// The longest turn of the last minute.
  long longest(long now) {
    long current = Math.floorDiv(now, WINDOW);
    long most = 0;
    for (int i = 0; i < WINDOWS; i++) {
      if (current - window.getOpaque(i) < WINDOWS) {
        most = Math.max(most, longest.getOpaque(i));
      }
    }
    return most;
  }
}
