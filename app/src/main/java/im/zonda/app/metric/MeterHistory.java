package im.zonda.app.metric;

import im.zonda.metric.TimingCounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The last 24 hours of some series, in memory: 12 minutes in steps of 5 seconds and 24 hours in
/// steps of one minute. Its size is fixed: at most 800 KiB. Any thread may call.
///
/// Of a counter it has the rate, of a gauge the value, of a timing the 99th percentile of the last
/// minute, in seconds. A step without a value was before the start, or the process was stopped.
final class MeterHistory {
  /// The most series.
  static final int MOST_SERIES = 64;

  private static final double PART = 0.99;
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
          ServerMeters.WAITING.name(),
          ServerMeters.UNACKNOWLEDGED.name(),
          ServerMeters.COMMIT.name(),
          ServerMeters.LOG_QUEUE.name(),
          ServerMeters.STORE_OK.name(),
          ServerMeters.DISK_FREE.name(),
          ServerMeters.S2S_QUEUE.name(),
          ServerMeters.FORWARDED.name(),
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
    MINUTES(60, 1_440);

    private final int seconds;
    private final int count;

    Step(int seconds, int count) {
      this.seconds = seconds;
      this.count = count;
    }

    int seconds() {
      return seconds;
    }
  }

  /// A value at a time.
  ///
  /// @param time the beginning of its step
  record Point(Instant time, double value) {}

  /// Names a series.
  record Key(String meter, List<String> labels) {}

  private final Map<Key, Rings> series = new LinkedHashMap<>();

  /// Adds the values of one moment; the last one of a step of 5 seconds counts, and of a minute the
  /// mean, or of a percentile the highest.
  synchronized void add(Instant time, List<RecentValues.Current> values) {
    for (RecentValues.Current each : values) {
      Key key = new Key(each.meter().name(), each.labels());
      if (METERS.contains(key.meter) && (series.containsKey(key) || series.size() < MOST_SERIES)) {
        TimingCounts window = each.lastMinute();
        double value =
            window != null
                ? window.quantile(PART).toNanos() / NANOS
                : each.perSecond() == null ? each.value() : each.perSecond();
        series
            .computeIfAbsent(key, _ -> new Rings())
            .add(time.getEpochSecond(), value, window != null);
      }
    }
  }

  /// The series of a meter.
  synchronized List<Key> keys(String meter) {
    return series.keySet().stream().filter(each -> each.meter.equals(meter)).toList();
  }

  /// The points of a series, the oldest first; empty if there is none.
  synchronized List<Point> points(Key key, Step step, Instant now) {
    Rings rings = series.get(key);
    return rings == null ? List.of() : rings.of(step).points(now.getEpochSecond());
  }

  private static final class Rings {
    private final Ring fine = new Ring(Step.SECONDS);
    private final Ring coarse = new Ring(Step.MINUTES);
    private long minute = -1;
    private double sum;
    private int count;

    Ring of(Step step) {
      return switch (step) {
        case SECONDS -> fine;
        case MINUTES -> coarse;
      };
    }

    void add(long second, double value, boolean highest) {
      fine.put(second, value);
      if (second / Step.MINUTES.seconds != minute) {
        minute = second / Step.MINUTES.seconds;
        sum = 0;
        count = 0;
      }
      sum = highest ? Math.max(sum, value) : sum + value;
      count++;
      coarse.put(second, highest ? sum : sum / count);
    }
  }

  /// The values of the last steps, each at the place of its number modulo the count.
  private static final class Ring {
    private final Step step;
    private final double[] values;
    private long last = Long.MIN_VALUE;

    Ring(Step step) {
      this.step = step;
      this.values = new double[step.count];
      Arrays.fill(values, Double.NaN);
    }

    void put(long second, double value) {
      long slot = second / step.seconds;
      if (last != Long.MIN_VALUE && slot < last) {
        return; // the clock was set back: better no value than those of later steps lost
      }
      long first = last == Long.MIN_VALUE ? slot : Math.max(last + 1, slot - step.count + 1);
      for (long missing = first; missing < slot; missing++) {
        values[(int) (missing % step.count)] = Double.NaN;
      }
      values[(int) (slot % step.count)] = value;
      last = slot;
    }

    List<Point> points(long second) {
      List<Point> points = new ArrayList<>();
      long now = second / step.seconds;
      for (long slot = Math.max(now, last) - step.count + 1; slot <= last; slot++) {
        double value = slot < 0 ? Double.NaN : values[(int) (slot % step.count)];
        if (!Double.isNaN(value)) {
          points.add(new Point(Instant.ofEpochSecond(slot * step.seconds), value));
        }
      }
      return points;
    }
  }
}
