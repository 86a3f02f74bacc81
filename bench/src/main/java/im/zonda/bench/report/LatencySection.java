package im.zonda.bench.report;

import im.zonda.bench.plot.Curve;
import im.zonda.bench.plot.Numbers;
import im.zonda.bench.plot.Panel;
import im.zonda.bench.plot.Scale;
import im.zonda.bench.result.HistogramText;
import im.zonda.bench.result.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;

/// Latency over time with the pauses of the server, the seconds that were late, and the curve of
/// percentiles.
final class LatencySection {
  /// Scenarios that a document measured for spikes.
  private static final Set<String> SPIKES = Set.of("replay", "rooms");

  private static final List<Panel.Level> LEVELS =
      List.of(
          new Panel.Level(250, "250 ms: the limit here"),
          new Panel.Level(5_000, "5 s: the spikes of 2010"));

  /// Panels of times.
  static final Set<String> PANELS = Set.of("latency", "send-delay");

  private static final double LATE_MILLIS = 50;
  private static final int LATE_SHOWN = 20;
  private static final int KINDS = 6;
  private static final double[] PERCENTILES = {50, 75, 90, 99, 99.9, 99.99};

  private final List<Result> results;

  LatencySection(List<Result> results) {
    this.results = results;
  }

  void write(Html html) {
    if (results.stream().allMatch(result -> result.latencies().isEmpty())) {
      return;
    }
    html.heading(2, "Latency");
    html.paragraph(
        "Times run from when an operation was due, not from when it was begun, so that a pause of"
            + " the server shows in all operations that were due meanwhile.");
    quantiles(html);
    for (Result result : results) {
      overTime(html, result);
      late(html, result);
    }
    percentiles(html);
  }

  private void quantiles(Html html) {
    List<List<String>> rows = new ArrayList<>();
    for (Result result : results) {
      for (Result.Latency latency : result.latencies()) {
        Histogram histogram = HistogramText.histogram(latency.histogram());
        List<String> row = new ArrayList<>();
        row.add(name(result, latency.label()));
        row.add(Numbers.of((double) histogram.getTotalCount()));
        for (double percentile : PERCENTILES) {
          row.add(Numbers.of(histogram.getValueAtPercentile(percentile) / 1e3));
        }
        row.add(Numbers.of(histogram.getMaxValue() / 1e3));
        rows.add(row);
      }
    }
    html.table(
        "Times in ms",
        List.of("what", "count", "p50", "p75", "p90", "p99", "p99.9", "p99.99", "max"),
        rows);
  }

  private String name(Result result, String label) {
    return results.size() == 1 ? label : Figures.subject(result) + ": " + label;
  }

  private void overTime(Html html, Result result) {
    Map<String, List<Result.Series>> kinds = new LinkedHashMap<>();
    for (Result.Series series : result.series()) {
      if (PANELS.contains(series.panel())) {
        kinds.computeIfAbsent(kind(series), name -> new ArrayList<>()).add(series);
      }
    }
    kinds.entrySet().stream()
        .limit(KINDS)
        .forEach(entry -> overTime(html, result, entry.getKey(), entry.getValue()));
  }

  /// What a series is about: its name without the percentile at its end.
  private static String kind(Result.Series series) {
    return series.name().replaceFirst("-(p[0-9.]+|max)$", "");
  }

  private static int color(Result.Series series) {
    String name = series.name();
    return name.endsWith("-max")
        ? 5
        : name.matches(".*-p99[.]?9") ? 1 : name.endsWith("-p99") ? 2 : 0;
  }

  private void overTime(Html html, Result result, String kind, List<Result.Series> all) {
    List<Curve> curves =
        all.stream()
            .sorted(Comparator.comparing(series -> !series.name().endsWith("-max")))
            .map(series ->
                Curve.ofSeconds(
                    series.label(),
                    color(series),
                    series.name().endsWith("-max") ? Curve.Style.THIN : Curve.Style.LINE,
                    series.values()))
            .toList();
    double most = Sections.most(curves);
    if (Double.isNaN(most)) {
      return;
    }
    List<Panel.Level> levels = SPIKES.contains(result.run().scenario()) ? LEVELS : List.of();
    double top = levels.isEmpty() ? most : Math.max(most, 10_000);
    int length = all.getFirst().values().length;
    Panel panel =
        new Panel(
            name(result, kind.replace('-', ' ')) + " over time, " + all.getFirst().unit(),
            "The longest time is " + Numbers.of(most, all.getFirst().unit()) + ".",
            new Scale(0, Math.max(1, length), false),
            Scale.ofPowers(Sections.leastAboveZero(curves), top),
            Panel.Quantity.SECONDS,
            curves,
            levels,
            result.marks().stream()
                .map(mark -> new Panel.Pause(mark.second(), mark.millis()))
                .toList());
    Sections.plot(html, panel, all);
  }

  /// Appends the seconds with a late operation and the pause that ended in them.
  private void late(Html html, Result result) {
    for (Result.Series series : result.series()) {
      if (!series.panel().equals("latency") || !series.name().endsWith("-max")) {
        continue;
      }
      List<List<String>> rows = new ArrayList<>();
      int late = 0;
      for (int i = 0; i < series.values().length; i++) {
        if (series.values()[i] > LATE_MILLIS && late++ < LATE_SHOWN) {
          rows.add(lateSecond(result, i, series.values()[i]));
        }
      }
      if (late > 0) {
        html.table(
            name(result, kind(series).replace('-', ' '))
                + ": seconds with a time above 50 ms: "
                + late
                + (late > LATE_SHOWN ? ", the first " + LATE_SHOWN : ""),
            List.of("second", "max, ms", "longest pause, ms", "reason of the pause"),
            rows);
      }
    }
  }

  private static List<String> lateSecond(Result result, int second, double most) {
    return result.marks().stream()
        .filter(mark -> mark.second() > second && mark.second() <= second + 1)
        .max(Comparator.comparingDouble(Result.Mark::millis))
        .map(mark ->
            List.of(
                String.valueOf(second + 1),
                Numbers.of(most),
                Numbers.of(mark.millis()),
                mark.reason()))
        .orElse(List.of(String.valueOf(second + 1), Numbers.of(most), "none", ""));
  }

  private void percentiles(Html html) {
    List<Curve> curves = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    double longest = 10;
    for (Result result : results) {
      for (Result.Latency latency : result.latencies()) {
        Histogram histogram = HistogramText.histogram(latency.histogram());
        if (histogram.getTotalCount() == 0) {
          continue;
        }
        longest = Math.max(longest, Math.min(1e6, (double) histogram.getTotalCount()));
        int color = curves.size() % 8;
        Curve.Style style = curves.size() < 8 ? Curve.Style.LINE : Curve.Style.DASHED;
        Curve curve = curve(histogram, name(result, latency.label()), color, style);
        curves.add(curve);
        for (int i = 0; i < curve.x().length; i += 4) {
          rows.add(
              List.of(
                  curve.name(),
                  Panel.Quantity.PERCENTILES.label(curve.x()[i], false),
                  Numbers.of(curve.y()[i])));
        }
      }
    }
    if (curves.isEmpty()) {
      return;
    }
    html.plot(
        new Panel(
            "Percentiles, ms",
            "Each step to the right leaves out nine of ten of the longer times.",
            Scale.ofPowers(1, longest),
            Scale.ofPowers(Sections.leastAboveZero(curves), Sections.most(curves)),
            Panel.Quantity.PERCENTILES,
            curves,
            List.of(),
            List.of()),
        List.of("what", "percentile", "ms"),
        rows);
  }

  /// The percentiles of a distribution as far as it has values for them.
  private static Curve curve(Histogram histogram, String name, int color, Curve.Style style) {
    List<double[]> points = new ArrayList<>();
    double most = Math.min(1e6, (double) histogram.getTotalCount());
    for (double x = Math.pow(10, 0.05); x <= most * 1.0001; x *= Math.pow(10, 0.05)) {
      double micros = histogram.getValueAtPercentile(100 - 100 / x);
      points.add(new double[] {x, Math.max(1, micros) / 1e3});
    }
    return new Curve(
        name,
        color,
        style,
        points.stream().mapToDouble(point -> point[0]).toArray(),
        points.stream().mapToDouble(point -> point[1]).toArray());
  }
}
