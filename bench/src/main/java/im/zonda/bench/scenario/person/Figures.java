package im.zonda.bench.scenario.person;

import im.zonda.bench.load.Counters;
import im.zonda.bench.load.Latencies;
import im.zonda.bench.load.Outcome;
import im.zonda.bench.load.OutcomeFigures;
import im.zonda.bench.result.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/// Figures and tables of loads that consist of steps.
public final class Figures {
  private static final double MILLI = 1e3;
  private static final double MEBIBYTE = 1 << 20;
  private static final double P50 = 50;
  private static final double P90 = 90;
  private static final double P99 = 99;
  private static final double P999 = 99.9;

  /// The steps that people know, in the order of a report.
  private static final Map<String, String> LABELS = labels();

  private Figures() {}

  private static Map<String, String> labels() {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put(Latencies.LOGIN, "login");
    labels.put(Tags.ROSTER, "roster");
    labels.put(Tags.VCARD, "vCard of a contact");
    labels.put(Tags.MESSAGE_ONLINE, "message to someone online, to its arrival");
    labels.put(Tags.MESSAGE_OFFLINE, "message to someone offline, until it is taken");
    labels.put(Tags.ENTER, "entering a room");
    labels.put(Tags.GROUP_CHAT, "message to a room, to its return");
    labels.put(Tags.GROUP_COPY, "message to a room, to each other occupant");
    return labels;
  }

  /// Median and p99 of each step that occurred, as figures.
  public static List<Result.Figure> ofSteps(Outcome outcome) {
    List<Result.Figure> figures = new ArrayList<>();
    LABELS.forEach((tag, label) -> {
      Histogram times = outcome.latencies().get(tag);
      if (times != null && times.getTotalCount() > 0) {
        figures.add(
            OutcomeFigures.figure(
                tag + "-p50", label + ", median", times.getValueAtPercentile(P50) / MILLI, "ms"));
        figures.add(
            OutcomeFigures.figure(
                tag + "-p99", label + ", p99", times.getValueAtPercentile(P99) / MILLI, "ms"));
      }
    });
    return figures;
  }

  /// A table with a row for each step that occurred.
  public static Result.Table tableOfSteps(Outcome outcome) {
    List<List<String>> rows = new ArrayList<>();
    LABELS.forEach((tag, label) -> {
      Histogram times = outcome.latencies().get(tag);
      if (times != null && times.getTotalCount() > 0) {
        List<String> row = new ArrayList<>(List.of(label));
        row.add(String.format(Locale.ROOT, "%.1f", times.getTotalCount() / outcome.seconds()));
        for (double percent : new double[] {P50, P90, P99, P999}) {
          row.add(millis(times.getValueAtPercentile(percent)));
        }
        row.add(millis(times.getMaxValue()));
        rows.add(row);
      }
    });
    return new Result.Table(
        "Steps, in ms from when each was due",
        List.of("step", "a second", "p50", "p90", "p99", "p99.9", "longest"),
        rows);
  }

  private static String millis(long micros) {
    return String.format(Locale.ROOT, "%.1f", micros / MILLI);
  }

  /// CPU of the server for each of `count` operations, and memory of each process.
  ///
  /// @param name the stable name, such as `cpu-per-session`
  public static List<Result.Figure> ofCosts(
      Outcome outcome, String name, String operation, long count) {
    List<Result.Figure> figures =
        new ArrayList<>(OutcomeFigures.cost(outcome, name, operation, count));
    for (Outcome.ProcessUse each : outcome.processes()) {
      String slug = each.name().replace(' ', '-');
      figures.add(
          OutcomeFigures.figure(
              "cpu-" + slug,
              "CPU of " + each.name() + ", 100 is one processor",
              each.cpuMicros() / outcome.seconds() / 1e4,
              "%"));
      figures.add(
          OutcomeFigures.figure(
              "rss-" + slug,
              "resident memory of " + each.name() + ", at most",
              each.residentMost() / MEBIBYTE,
              "MiB"));
    }
    return figures;
  }

  /// Whether nothing was refused and nothing failed.
  public static Result.Verdict withoutErrors(Outcome outcome) {
    long errors = outcome.totals().getOrDefault(Counters.ERRORS, 0L);
    return new Result.Verdict(
        errors == 0,
        errors == 0
            ? "The server refused nothing."
            : String.format(Locale.ROOT, "The server refused or failed %,d requests.", errors),
        "no errors");
  }

  /// Whether p99 of each step that occurred is below a limit.
  public static Result.Verdict within(Outcome outcome, double limitMillis) {
    String worst = "";
    double millis = 0;
    for (Map.Entry<String, String> each : LABELS.entrySet()) {
      Histogram times = outcome.latencies().get(each.getKey());
      if (times != null && times.getValueAtPercentile(P99) / MILLI > millis) {
        millis = times.getValueAtPercentile(P99) / MILLI;
        worst = each.getValue();
      }
    }
    return new Result.Verdict(
        !worst.isEmpty() && millis <= limitMillis,
        worst.isEmpty()
            ? "No step was measured."
            : String.format(
                Locale.ROOT, "The slowest step was \"%s\", p99 %.1f ms.", worst, millis),
        String.format(Locale.ROOT, "p99 of each step at most %.0f ms", limitMillis));
  }
}
