package im.zonda.app.metric;

import im.zonda.metric.TimingCounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The last 30 days of some series, in memory: 12 minutes in steps of 5 seconds, 24 hours in steps
/// of one minute, 30 days in steps of 15 minutes. Its size is fixed: 18 KB a series. Any thread may
/// call.
///
/// Of a counter it has the rate, of a gauge the value, of a timing the rate and percentiles of the
/// last minute, in seconds. A step without a value was before the start, or the process was
/// stopped.
final class MeterHistory {
  /// The most series.
  static final int MOST_SERIES = 192;

  private static final double NANOS = 1e9;

  /// The meters that it has.
  static final Set<String> METERS =
      Set.of(
          ServerMeters.ONLINE.name(),
          ServerMeters.SESSIONS.name(),
          ServerMeters.STANZAS.name(),
          ServerMeters.MESSAGES.name(),
          ServerMeters.REJECTED.name(),
          ServerMeters.FAILED.name(),
          ServerMeters.MESSAGE.name(),
          ServerMeters.MAILBOX_WAIT.name(),
          ServerMeters.MAILBOX_TASKS.name(),
          ServerMeters.LOGINS.name(),
          ServerMeters.LOGIN.name(),
          ServerMeters.CONNECTIONS.name(),
          ServerMeters.NETWORK_BYTES.name(),
          ServerMeters.NETWORK_STANZAS.name(),
          ServerMeters.WAITING.name(),
          ServerMeters.UNACKNOWLEDGED.name(),
          ServerMeters.COMMIT.name(),
          ServerMeters.LOG_QUEUE.name(),
          ServerMeters.LOG_ENTRIES.name(),
          ServerMeters.STORE_OK.name(),
          ServerMeters.CACHE_HITS.name(),
          ServerMeters.CACHE_LOAD.name(),
          ServerMeters.CACHE_EVICTIONS.name(),
          ServerMeters.CACHE_BYTES.name(),
          ServerMeters.DISK_FREE.name(),
          ServerMeters.S2S_LINKS.name(),
          ServerMeters.S2S_QUEUE.name(),
          ServerMeters.FORWARDED.name(),
          "jvm_memory_allocated_bytes_total",
          "jvm_memory_used_bytes",
          "process_cpu_seconds_total",
          "process_resident_memory_bytes",
          "process_open_fds",
          "zonda_gc_pause_seconds");

  /// The length of a step.
  enum Step {
    /// Five seconds, for 12 minutes.
    SECONDS(5, 144),
    /// One minute, for 24 hours.
    MINUTES(60, 1_440),
    /// 15 minutes, for 30 days.
    QUARTERS(900, 2_880);

    private final int seconds;
    private final int count;

    Step(int seconds, int count) {
      this.seconds = seconds;
      this.count = count;
    }

    int seconds() {
      return seconds;
    }

    int count() {
      return count;
    }
  }

  /// What a series says of its meter.
  enum Measure {
    /// The value of a gauge.
    VALUE,
    /// How fast a counter, or the number of lengths of time, grows in a second.
    RATE,
    /// The median.
    P50,
    /// The 99th percentile.
    P99,
    /// The 99.9th percentile.
    P999;

    /// Whether steps that are put together have the highest value, not the mean.
    boolean isPercentile() {
      return switch (this) {
        case VALUE, RATE -> false;
        case P50, P99, P999 -> true;
      };
    }

    private double of(TimingCounts times) {
      double part =
          switch (this) {
            case VALUE, RATE -> throw new IllegalStateException("no percentile");
            case P50 -> 0.5;
            case P99 -> 0.99;
            case P999 -> 0.999;
          };
      return times.quantile(part).toNanos() / NANOS;
    }
  }

  private static final List<Measure> PERCENTILES = List.of(Measure.P50, Measure.P99, Measure.P999);

  /// A value at a time.
  ///
  /// @param time the beginning of its step
  record Point(Instant time, double value) {}

  /// Names a series.
  record Key(String meter, List<String> labels, Measure measure) {
    /// Copies the list.
    Key {
      labels = List.copyOf(labels);
    }
  }

  private final Map<Key, Rings> series = new LinkedHashMap<>();

  /// Adds the values of one moment; the last one of a step of 5 seconds counts, and of longer ones
  /// the mean, or of a percentile the highest.
  synchronized void add(Instant time, List<RecentValues.Current> values) {
    long second = time.getEpochSecond();
    for (RecentValues.Current each : values) {
      if (!METERS.contains(each.meter().name())) {
        continue;
      }
      Double rate = each.perSecond();
      if (rate == null) {
        add(second, each, Measure.VALUE, each.value());
      } else {
        add(second, each, Measure.RATE, rate);
      }
      TimingCounts window = each.lastMinute();
      if (window != null) {
        PERCENTILES.forEach(measure -> add(second, each, measure, measure.of(window)));
      }
    }
  }

  private void add(long second, RecentValues.Current current, Measure measure, double value) {
    Rings rings = rings(new Key(current.meter().name(), current.labels(), measure));
    if (rings != null) {
      rings.add(second, value, measure.isPercentile());
    }
  }

  private @Nullable Rings rings(Key key) {
    return series.size() < MOST_SERIES
        ? series.computeIfAbsent(key, _ -> new Rings())
        : series.get(key);
  }

  /// The series of a meter.
  synchronized List<Key> keys(String meter) {
    return series.keySet().stream().filter(each -> each.meter.equals(meter)).toList();
  }

  /// The points of a series, the oldest first; empty if there is none.
  ///
  /// @param since the earliest time
  /// @param now the present
  synchronized List<Point> points(Key key, Step step, Instant since, Instant now) {
    Rings rings = series.get(key);
    if (rings == null) {
      return List.of();
    }
    long end = now.getEpochSecond() / step.seconds;
    long first =
        Math.max(
            Math.ceilDiv(since.getEpochSecond(), step.seconds), Math.max(0, end - step.count + 1));
    List<Point> points = new ArrayList<>();
    for (long slot = first; slot <= end; slot++) {
      float value = rings.of(step).get(slot * step.seconds);
      if (!Float.isNaN(value)) {
        points.add(new Point(Instant.ofEpochSecond(slot * step.seconds), precise(value)));
      }
    }
    return points;
  }

  /// The number with the digits that a float has, not with those of its binary value.
  static double precise(float value) {
    return Double.parseDouble(Float.toString(value));
  }

  /// The values of some steps; series without any are left out.
  ///
  /// @param begin the beginning of the first step, in seconds since 1970
  synchronized Map<Key, float[]> values(Step step, long begin, int count) {
    Map<Key, float[]> all = new LinkedHashMap<>();
    series.forEach((key, rings) -> {
      float[] values = new float[count];
      boolean some = false;
      for (int i = 0; i < count; i++) {
        values[i] = rings.of(step).get(begin + (long) i * step.seconds);
        some |= !Float.isNaN(values[i]);
      }
      if (some) {
        all.put(key, values);
      }
    });
    return all;
  }

  /// Adds the values of steps before the start of the process; those that it has stay.
  ///
  /// @param begin the beginning of the first step, in seconds since 1970
  synchronized void fill(Step step, long begin, Map<Key, float[]> earlier) {
    earlier.forEach((key, values) -> {
      Rings rings = METERS.contains(key.meter) ? rings(key) : null;
      for (int i = 0; rings != null && i < values.length; i++) {
        if (!Float.isNaN(values[i])) {
          rings.of(step).fill(begin + (long) i * step.seconds, values[i]);
        }
      }
    });
  }

  private static final class Rings {
    private final HistoryRing fine = new HistoryRing(Step.SECONDS);
    private final HistoryRing minutes = new HistoryRing(Step.MINUTES);
    private final HistoryRing quarters = new HistoryRing(Step.QUARTERS);
    private final Together minute = new Together(Step.MINUTES);
    private final Together quarter = new Together(Step.QUARTERS);

    HistoryRing of(Step step) {
      return switch (step) {
        case SECONDS -> fine;
        case MINUTES -> minutes;
        case QUARTERS -> quarters;
      };
    }

    void add(long second, double value, boolean highest) {
      fine.put(second, value);
      minutes.put(second, minute.add(second, value, highest));
      quarters.put(second, quarter.add(second, value, highest));
    }
  }

  /// The values of the current step, put together.
  private static final class Together {
    private final Step step;
    private long slot = -1;
    private double sum;
    private int count;

    Together(Step step) {
      this.step = step;
    }

    double add(long second, double value, boolean highest) {
      if (second / step.seconds != slot) {
        slot = second / step.seconds;
        sum = 0;
        count = 0;
      }
      sum = highest ? Math.max(sum, value) : sum + value;
      count++;
      return highest ? sum : sum / count;
    }
  }
}
