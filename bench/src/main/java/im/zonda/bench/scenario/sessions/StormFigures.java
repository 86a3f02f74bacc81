package im.zonda.bench.scenario.sessions;

import im.zonda.bench.load.Counters;
import im.zonda.bench.load.Outcome;
import im.zonda.bench.load.OutcomeFigures;
import im.zonda.bench.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The figures of sessions that were cut and resumed.
final class StormFigures {
  private static final double KIBIBYTE = 1 << 10;

  /// A percent of a processor is 10 ms in a second.
  private static final double MILLIS_OF_PERCENT = 10;

  private StormFigures() {}

  /// The first second with a value above 0; -1 if there is none.
  static int first(double[] values) {
    for (int i = 0; i < values.length; i++) {
      if (values[i] > 0) {
        return i;
      }
    }
    return -1;
  }

  static List<Result.Figure> of(Outcome outcome) {
    List<Result.Figure> figures = new ArrayList<>();
    long resumed = outcome.count(Storm.RESUMED);
    double[] rate = outcome.bySecond("rate-" + Storm.RESUMED);
    double cpu = 0;
    for (Outcome.ProcessUse use : outcome.processes()) {
      if (!use.name().startsWith("database")) {
        cpu += cpuWhile(rate, outcome.bySecond("cpu-" + slug(use)));
      }
      double detached = grown(outcome, outcome.bySecond("rss-" + slug(use)));
      if (!outcome.options().text("detached").isEmpty() && !Double.isNaN(detached)) {
        figures.add(
            OutcomeFigures.figure(
                "memory-per-detached-" + slug(use),
                "resident memory of " + use.name() + " that a detached session adds",
                detached * KIBIBYTE / Math.max(1, outcome.count(Storm.CUT)),
                "KiB"));
      }
    }
    if (resumed > 0 && cpu > 0) {
      figures.add(
          OutcomeFigures.figure(
              "cpu-per-resumption", "CPU of the server a resumption", cpu / resumed, "ms"));
    }
    figures.addAll(OutcomeFigures.latency(outcome, Storm.RESUME, "until a session is resumed"));
    figures.add(
        OutcomeFigures.figure(
            Storm.AGAIN, "attempts that were repeated", (double) outcome.count(Storm.AGAIN), ""));
    return figures;
  }

  private static String slug(Outcome.ProcessUse use) {
    return use.name().toLowerCase(Locale.ROOT).replace(' ', '-');
  }

  /// The CPU time in ms of the seconds in which sessions were resumed.
  private static double cpuWhile(double[] rate, double[] percent) {
    double millis = 0;
    for (int i = 0; i < Math.min(rate.length, percent.length); i++) {
      millis += rate[i] > 0 && percent[i] > 0 ? percent[i] * MILLIS_OF_PERCENT : 0;
    }
    return millis;
  }

  /// By how much memory has grown from the cut until the first session was resumed, in MiB.
  private static double grown(Outcome outcome, double[] resident) {
    int cut = first(outcome.bySecond("rate-" + Storm.CUT));
    int back = first(outcome.bySecond("rate-" + Storm.RESUMED));
    return cut < 1 || back <= cut || back > resident.length
        ? Double.NaN
        : resident[back - 1] - resident[cut - 1];
  }

  static List<Result.Verdict> verdicts(Outcome outcome) {
    long cut = outcome.count(Storm.CUT);
    long resumed = outcome.count(Storm.RESUMED);
    long sent = outcome.count(Counters.SENT);
    long received = outcome.totals().getOrDefault(Counters.RECEIVED, 0L);
    List<Result.Verdict> verdicts = new ArrayList<>();
    verdicts.add(
        new Result.Verdict(
            cut > 0 && resumed == cut,
            String.format(Locale.ROOT, "%,d of %,d sessions were resumed.", resumed, cut),
            "every session is resumed"));
    if (sent > 0) {
      verdicts.add(
          new Result.Verdict(
              received == sent,
              String.format(
                  Locale.ROOT,
                  "Of %,d messages to detached sessions %,d arrived after the resumption.",
                  sent,
                  received),
              "no message to a detached session is lost or doubled"));
    }
    return verdicts;
  }
}
