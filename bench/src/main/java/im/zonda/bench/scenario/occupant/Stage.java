package im.zonda.bench.scenario.occupant;

import im.zonda.bench.load.Counters;
import im.zonda.bench.load.Load;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// State that the players of one process share.
///
/// @param extraTag another tag for the copies of a message, by its number; null for none
/// @param expected copies that had to arrive by the end of each stay
/// @param certain those of them that have arrived
record Stage(
    Load load,
    Timetable timetable,
    Hosts hosts,
    RoomStanzas stanzas,
    IntFunction<@Nullable String> extraTag,
    Clock clock,
    LongAdder expected,
    LongAdder certain) {
  /// When the trace began.
  static final class Clock {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private volatile long start;
    private volatile boolean runs;

    /// The trace begins.
    ///
    /// @param nanos by [System#nanoTime]
    void begin(long nanos) {
      start = nanos;
      runs = true;
    }

    /// When something of the trace is due, by [System#nanoTime].
    long due(long millis) {
      return start + millis * NANOS_PER_MILLI;
    }

    /// The time of the trace, rounded up; 0 before its beginning.
    long millis(long nanos) {
      return runs ? Math.max(0, Math.ceilDiv(nanos - start, NANOS_PER_MILLI)) : 0;
    }
  }

  Stage(
      Load load,
      Timetable timetable,
      Hosts hosts,
      int history,
      Map<String, String> form,
      IntFunction<@Nullable String> extraTag) {
    this(
        load,
        timetable,
        hosts,
        new RoomStanzas(hosts, history, form),
        extraTag,
        new Clock(),
        new LongAdder(),
        new LongAdder());
  }

  /// Counts an error, and keeps a sentence about it.
  void problem(String sentence) {
    load.counters().add(Counters.ERRORS, 1);
    load.counters().problem(sentence);
  }
}
