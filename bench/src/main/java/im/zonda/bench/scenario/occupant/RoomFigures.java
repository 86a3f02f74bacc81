package im.zonda.bench.scenario.occupant;

import im.zonda.bench.load.Counters;
import im.zonda.bench.load.Latencies;
import im.zonda.bench.load.Outcome;
import im.zonda.bench.load.OutcomeFigures;
import im.zonda.bench.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/// Figures and verdicts of loads in rooms.
public final class RoomFigures {
  private static final double MILLI = 1e3;

  private RoomFigures() {}

  /// CPU a copy, rates, latencies, and what went wrong.
  ///
  /// @param lateMillis a copy after that counts as late
  public static List<Result.Figure> of(Outcome outcome, double lateMillis) {
    List<Result.Figure> figures = new ArrayList<>();
    long copies = outcome.count(Counters.RECEIVED);
    figures.addAll(OutcomeFigures.cost(outcome, "cpu-per-copy", "copy", copies));
    figures.add(
        OutcomeFigures.figure("copies", "copies that arrived", copies / outcome.seconds(), "1/s"));
    figures.add(
        OutcomeFigures.figure(
            "messages",
            "messages that were sent",
            outcome.count(Counters.SENT) / outcome.seconds(),
            "1/s"));
    figures.addAll(OutcomeFigures.latency(outcome, Latencies.DELIVERY, "time to a receiver"));
    figures.addAll(
        OutcomeFigures.latency(outcome, ReplayTags.LAST_RECEIVER, "time to the last receiver"));
    figures.addAll(OutcomeFigures.latency(outcome, ReplayTags.DIRECT, "direct message"));
    figures.addAll(OutcomeFigures.latency(outcome, ReplayTags.JOIN, "entry"));
    figures.addAll(OutcomeFigures.latency(outcome, Latencies.LOGIN, "login"));
    figures.add(
        OutcomeFigures.figure(
            "late",
            String.format(Locale.ROOT, "copies later than %.0f ms", lateMillis),
            (double) late(outcome, lateMillis),
            ""));
    figures.add(OutcomeFigures.figure("lost", "copies lost", count(outcome, ReplayTags.LOST), ""));
    figures.add(
        OutcomeFigures.figure("doubled", "copies doubled", count(outcome, Counters.DOUBLED), ""));
    figures.add(
        OutcomeFigures.figure(
            "out-of-order", "copies out of order", count(outcome, ReplayTags.OUT_OF_ORDER), ""));
    figures.add(OutcomeFigures.figure("errors", "errors", count(outcome, Counters.ERRORS), ""));
    figures.addAll(OutcomeFigures.memory(outcome));
    return figures;
  }

  private static double count(Outcome outcome, String counter) {
    return (double) total(outcome, counter);
  }

  private static long total(Outcome outcome, String counter) {
    return outcome.totals().getOrDefault(counter, 0L);
  }

  private static long late(Outcome outcome, double lateMillis) {
    Histogram times = outcome.latencies().get(Latencies.DELIVERY);
    long micros = (long) (lateMillis * MILLI);
    return times == null || times.getMaxValue() <= micros
        ? 0
        : times.getCountBetweenValues(times.nextNonEquivalentValue(micros), times.getMaxValue());
  }

  /// Whether all copies arrived, once, in their order and in time.
  ///
  /// @param lateMillis a copy after that counts as late
  public static Result.Verdict complete(Outcome outcome, double lateMillis) {
    long lost = total(outcome, ReplayTags.LOST);
    long doubled = total(outcome, Counters.DOUBLED);
    long disordered = total(outcome, ReplayTags.OUT_OF_ORDER);
    long unsent = total(outcome, ReplayTags.UNSENT);
    long errors = total(outcome, Counters.ERRORS);
    long late = late(outcome, lateMillis);
    long expected = total(outcome, ReplayTags.EXPECTED);
    boolean met = lost + doubled + disordered + unsent + errors + late == 0 && expected > 0;
    Histogram times = outcome.latencies().get(Latencies.DELIVERY);
    double longest = times == null ? Double.NaN : times.getMaxValue() / MILLI;
    String sentence =
        met
            ? String.format(
                Locale.ROOT,
                "All of %,d expected copies arrived, each once and in order; the last one after"
                    + " %.1f ms.",
                expected,
                longest)
            : String.format(
                Locale.ROOT,
                "Of %,d expected copies %,d were lost, %,d came twice, %,d out of order, and %,d"
                    + " later than %.0f ms (the longest %.1f ms); %,d messages could not be sent;"
                    + " errors: %,d.",
                expected,
                lost,
                doubled,
                disordered,
                late,
                lateMillis,
                longest,
                unsent,
                errors);
    return new Result.Verdict(
        met,
        sentence,
        String.format(
            Locale.ROOT,
            "no copy later than %.0f ms in the measured part; none lost, doubled or out of order, no"
                + " error in the whole run",
            lateMillis));
  }
}
