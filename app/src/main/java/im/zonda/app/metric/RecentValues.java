package im.zonda.app.metric;

import im.zonda.metric.Meter;
import im.zonda.metric.Meters;
import im.zonda.metric.Sample;
import im.zonda.metric.TimingCounts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Values of all meters in the last minute, from which come the rates of counters, over 5 to 10
/// seconds, and the percentiles of timings, over one minute. Any thread may call.
final class RecentValues {
  /// How often [#sample] must be called.
  static final Duration PERIOD = Duration.ofSeconds(5);

  private static final int KEPT = 13;
  private static final double NANOS = 1e9;

  private record Reading(Instant time, Map<Key, Sample> samples) {}

  private record Key(String meter, List<String> labels) {}

  /// The value of one series.
  ///
  /// @param value of a timing or a summary how many there were
  /// @param perSecond how fast it grows; null for a gauge
  /// @param lastMinute the lengths of a timing in the last minute; null for others
  record Current(
      Meter meter,
      List<String> labels,
      double value,
      @Nullable Double perSecond,
      @Nullable TimingCounts lastMinute) {}

  private final Meters meters;
  private final InstantSource clock;
  private final Deque<Reading> readings = new ArrayDeque<>(KEPT);

  RecentValues(Meters meters, InstantSource clock) {
    this.meters = meters;
    this.clock = clock;
  }

  /// Remembers what the meters say.
  synchronized void sample() {
    Map<Key, Sample> samples = new HashMap<>();
    for (Meters.Family family : meters.read()) {
      for (Sample each : family.samples()) {
        samples.put(new Key(family.meter().name(), each.labels()), each);
      }
    }
    if (readings.size() == KEPT) {
      readings.removeFirst();
    }
    readings.addLast(new Reading(clock.instant(), samples));
  }

  /// What the meters say now.
  synchronized List<Current> current() {
    Instant now = clock.instant();
    Reading minuteAgo = readings.peekFirst();
    Reading lately = lately(now);
    List<Current> all = new ArrayList<>();
    for (Meters.Family family : meters.read()) {
      for (Sample each : family.samples()) {
        Key key = new Key(family.meter().name(), each.labels());
        all.add(
            current(
                family.meter(),
                each,
                lately == null ? null : lately.samples.get(key),
                minuteAgo == null ? null : minuteAgo.samples.get(key),
                lately == null ? 0 : Duration.between(lately.time, now).toNanos() / NANOS));
      }
    }
    return all;
  }

  /// The newest reading that is not younger than a period, or the oldest.
  private @Nullable Reading lately(Instant now) {
    Reading found = readings.peekFirst();
    for (Reading each : readings) {
      if (Duration.between(each.time, now).compareTo(PERIOD) >= 0) {
        found = each;
      }
    }
    return found;
  }

  private static Current current(
      Meter meter,
      Sample now,
      @Nullable Sample before,
      @Nullable Sample minuteAgo,
      double seconds) {
    double value = value(now);
    boolean grows = meter.kind() != Meter.Kind.GAUGE;
    double past = before == null ? 0 : value(before);
    Double rate = grows ? (Double) (seconds <= 0 ? 0 : Math.max(0, value - past) / seconds) : null;
    TimingCounts window =
        now instanceof Sample.Times(var _, TimingCounts counts)
            ? counts.minus(
                minuteAgo instanceof Sample.Times(var _, TimingCounts old)
                    ? old
                    : TimingCounts.NONE)
            : null;
    return new Current(meter, now.labels(), value, rate, window);
  }

  private static double value(Sample sample) {
    return switch (sample) {
      case Sample.Amount(var _, double value) -> value;
      case Sample.Times(var _, TimingCounts counts) -> counts.count();
      case Sample.Sum(var _, long count, double _) -> count;
    };
  }
}
