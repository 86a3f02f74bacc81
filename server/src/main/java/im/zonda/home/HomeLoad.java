package im.zonda.home;

import im.zonda.jid.Jid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;

/// The tasks that wait at the homes of all kinds together, and the homes at which so many wait that
/// streams are not read. Any thread may call.
public final class HomeLoad {
  /// The most crowded homes that are known by name.
  public static final int MOST = 100;

  private final LongAdder waiting = new LongAdder();
  private final LongAdder pauses = new LongAdder();
  private final Map<Jid, Entry> crowded = new ConcurrentHashMap<>();

  private record Entry(long since, IntSupplier tasks, IntSupplier streams) {}

  /// A home at which too much waits.
  ///
  /// @param tasks how many tasks wait there
  /// @param streams how many streams are not read until half of it is done
  /// @param time since when
  public record Crowded(Jid home, int tasks, int streams, Duration time) {}

  /// How many tasks wait.
  public LongAdder waiting() {
    return waiting;
  }

  /// How often a stream was not read for a while, since the start.
  public LongAdder pauses() {
    return pauses;
  }

  /// The homes at which too much waits, the longest first.
  public List<Crowded> crowded() {
    long now = System.nanoTime();
    List<Crowded> all = new ArrayList<>();
    crowded.forEach((home, each) ->
        all.add(
            new Crowded(
                home,
                each.tasks.getAsInt(),
                each.streams.getAsInt(),
                Duration.ofNanos(now - each.since))));
    all.sort(Comparator.comparing(Crowded::time).reversed());
    return all;
  }

  /// Too much waits at a home. Does not call the suppliers.
  void crowd(Jid home, IntSupplier tasks, IntSupplier streams) {
    if (crowded.size() < MOST) {
      crowded.putIfAbsent(home, new Entry(System.nanoTime(), tasks, streams));
    }
  }

  /// Half of it is done.
  void disperse(Jid home) {
    crowded.remove(home);
  }
}
