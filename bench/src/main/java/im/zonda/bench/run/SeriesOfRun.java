package im.zonda.bench.run;

import im.zonda.bench.load.Latencies;
import im.zonda.bench.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;

/// The measurements of a run by second.
final class SeriesOfRun {
  private static final double MILLI = 1e3;
  private static final double[] PERCENTILES = {50, 99, 99.9, 100};
  private static final String[] NAMES = {"p50", "p99", "p999", "max"};
  private static final String[] LABELS = {"p50", "p99", "p99.9", "max"};

  private SeriesOfRun() {}

  /// Percentiles of each tag, and the rate of each counter.
  static List<Result.Series> of(Measurements measurements) {
    List<Result.Series> all = new ArrayList<>();
    for (String tag : measurements.latencies().keySet()) {
      all.addAll(percentiles(measurements, tag));
    }
    Set<String> counters = new TreeSet<>();
    measurements.seconds().forEach(second -> counters.addAll(second.counters().keySet()));
    for (String counter : counters) {
      double[] values =
          measurements.seconds().stream()
              .mapToDouble(second -> second.counters().getOrDefault(counter, 0L))
              .toArray();
      all.add(new Result.Series("rate-" + counter, counter, "1/s", "throughput", values));
    }
    return all;
  }

  private static List<Result.Series> percentiles(Measurements measurements, String tag) {
    int seconds = measurements.seconds().size();
    double[][] values = new double[PERCENTILES.length][seconds];
    for (int i = 0; i < seconds; i++) {
      Histogram histogram = measurements.seconds().get(i).histogram(tag);
      for (int p = 0; p < PERCENTILES.length; p++) {
        values[p][i] =
            histogram.getTotalCount() == 0
                ? Double.NaN
                : histogram.getValueAtPercentile(PERCENTILES[p]) / MILLI;
      }
    }
    String panel = tag.equals(Latencies.SEND_DELAY) ? "send-delay" : "latency";
    List<Result.Series> series = new ArrayList<>();
    for (int p = 0; p < PERCENTILES.length; p++) {
      series.add(
          new Result.Series(tag + "-" + NAMES[p], tag + " " + LABELS[p], "ms", panel, values[p]));
    }
    return series;
  }

  /// The series as a table with a column each.
  static String table(List<Result.Series> series) {
    StringBuilder table = new StringBuilder("second");
    int seconds = 0;
    for (Result.Series each : series) {
      table.append('\t').append(each.name());
      seconds = Math.max(seconds, each.values().length);
    }
    table.append('\n');
    for (int i = 0; i < seconds; i++) {
      table.append(i);
      for (Result.Series each : series) {
        double value = i < each.values().length ? each.values()[i] : Double.NaN;
        table.append('\t').append(Double.isNaN(value) ? "" : Double.toString(value));
      }
      table.append('\n');
    }
    return table.toString();
  }

  /// The latencies with labels for people.
  static List<Result.Latency> latencies(Measurements measurements) {
    List<Result.Latency> all = new ArrayList<>();
    new TreeMap<>(measurements.latencies())
        .forEach((tag, histogram) ->
            all.add(
                new Result.Latency(
                    tag,
                    tag.replace('-', ' '),
                    im.zonda.bench.result.HistogramText.of(histogram))));
    return all;
  }
}
