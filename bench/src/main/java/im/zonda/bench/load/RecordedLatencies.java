package im.zonda.bench.load;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.HdrHistogram.SingleWriterRecorder;

/// Times in histograms, by tag. Event loops have histograms of their own; other threads share one.
///
/// What was due before the measured part begins, or after its end, only counts as an operation.
public final class RecordedLatencies implements Latencies {
  /// The longest time that is told from longer ones, in microseconds: five minutes.
  public static final long MOST_MICROS = TimeUnit.MINUTES.toMicros(5);

  /// Significant decimal digits of a value.
  public static final int DIGITS = 3;

  @SuppressWarnings("ThreadLocalUsage") // a run has one, and its threads end with it
  private final ThreadLocal<Map<String, SingleWriterRecorder>> own =
      ThreadLocal.withInitial(HashMap::new);

  /// The recorders of all event loops by tag; guarded by itself.
  private final Map<String, List<SingleWriterRecorder>> all = new TreeMap<>();

  private final Map<String, Recorder> shared = new ConcurrentHashMap<>();
  private final Map<Object, Histogram> spare = new HashMap<>();
  private final Map<String, Map<Integer, Last>> lasts = new ConcurrentHashMap<>();
  private final LongAdder operations = new LongAdder();
  private volatile long from = Long.MAX_VALUE;
  private volatile long until = Long.MAX_VALUE;

  /// An empty histogram for times in microseconds.
  public static Histogram empty() {
    return new Histogram(MOST_MICROS, DIGITS);
  }

  /// Begins the measured part.
  ///
  /// @param nanos by [System#nanoTime]
  public void measureFrom(long nanos) {
    from = nanos;
    until = Long.MAX_VALUE;
  }

  /// Ends the measured part. What was due before still counts when it is done.
  ///
  /// @param nanos by [System#nanoTime]
  public void measureUntil(long nanos) {
    until = nanos;
  }

  /// How many times have been recorded since the beginning of the run, without the generator's own
  /// lateness.
  public long operations() {
    return operations.sum();
  }

  @Override
  public void record(String tag, long dueNanos, long nowNanos) {
    if (!tag.equals(SEND_DELAY) && !tag.equals(SERVICE)) {
      operations.increment();
    }
    if (dueNanos >= from && dueNanos < until) {
      recordAlways(tag, dueNanos, nowNanos);
    }
  }

  @Override
  public void recordAlways(String tag, long dueNanos, long nowNanos) {
    long micros = Math.clamp((nowNanos - dueNanos) / 1_000, 0, MOST_MICROS);
    if (Thread.currentThread() instanceof FastThreadLocalThread) {
      recorder(tag).recordValue(micros);
    } else {
      shared.computeIfAbsent(tag, _ -> new Recorder(MOST_MICROS, DIGITS)).recordValue(micros);
    }
  }

  /// The last part of something so far.
  ///
  /// @param due by [System#nanoTime]
  /// @param micros from then to the last part
  public record Last(long due, long micros) {
    /// The later one of two.
    public Last later(Last other) {
      return other.micros > micros ? other : this;
    }
  }

  @Override
  public void recordLast(String tag, int key, long dueNanos, long nowNanos) {
    if (dueNanos >= from && dueNanos < until) {
      Last part = new Last(dueNanos, Math.clamp((nowNanos - dueNanos) / 1_000, 0, MOST_MICROS));
      lasts.computeIfAbsent(tag, _ -> new ConcurrentHashMap<>()).merge(key, part, Last::later);
    }
  }

  /// The last parts since the last call, by tag and key; a later part of the same key may come with
  /// the next call. One thread calls.
  public Map<String, Map<Integer, Last>> intervalOfLasts() {
    Map<String, Map<Integer, Last>> taken = new TreeMap<>();
    lasts.forEach((tag, parts) -> {
      Map<Integer, Last> some = new HashMap<>();
      for (Integer key : List.copyOf(parts.keySet())) {
        Last part = parts.remove(key);
        if (part != null) {
          some.put(key, part);
        }
      }
      if (!some.isEmpty()) {
        taken.put(tag, some);
      }
    });
    return taken;
  }

  private SingleWriterRecorder recorder(String tag) {
    Map<String, SingleWriterRecorder> mine = own.get();
    SingleWriterRecorder recorder = mine.get(tag);
    if (recorder == null) {
      recorder = new SingleWriterRecorder(MOST_MICROS, DIGITS);
      mine.put(tag, recorder);
      synchronized (all) {
        all.computeIfAbsent(tag, _ -> new ArrayList<>()).add(recorder);
      }
    }
    return recorder;
  }

  /// What was recorded since the last call, by tag; tags without a value are left out. One thread
  /// calls.
  public Map<String, Histogram> interval() {
    Map<String, Histogram> merged = new TreeMap<>();
    synchronized (all) {
      all.forEach((tag, recorders) -> {
        for (SingleWriterRecorder each : recorders) {
          add(merged, tag, spare.compute(each, (_, old) -> each.getIntervalHistogram(old)));
        }
      });
    }
    shared.forEach((tag, each) ->
        add(merged, tag, spare.compute(each, (_, old) -> each.getIntervalHistogram(old))));
    return merged;
  }

  private static void add(Map<String, Histogram> merged, String tag, Histogram part) {
    if (part.getTotalCount() > 0) {
      merged.computeIfAbsent(tag, _ -> empty()).add(part);
    }
  }
}
