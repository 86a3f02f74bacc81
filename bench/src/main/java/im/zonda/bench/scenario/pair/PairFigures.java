package im.zonda.bench.scenario.pair;

import im.zonda.bench.load.Counters;
import im.zonda.bench.load.Latencies;
import im.zonda.bench.load.Outcome;
import im.zonda.bench.load.OutcomeFigures;
import im.zonda.bench.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The figures that all loads with messages between pairs have.
public final class PairFigures {

  private PairFigures() {}

  /// CPU a message, and the latency of deliveries.
  public static List<Result.Figure> of(Outcome outcome) {
    List<Result.Figure> figures = new ArrayList<>();
    long received = outcome.count(Counters.RECEIVED);
    figures.addAll(OutcomeFigures.cost(outcome, "cpu-per-message", "message", received));
    figures.addAll(OutcomeFigures.latency(outcome, Latencies.DELIVERY, "delivery"));
    figures.add(
        OutcomeFigures.figure(
            "messages", "messages that arrived", received / outcome.seconds(), "1/s"));
    figures.addAll(OutcomeFigures.memory(outcome));
    return figures;
  }

  /// The time until messages are acknowledged; nothing if that was not asked for.
  public static List<Result.Figure> acknowledgements(Outcome outcome) {
    return OutcomeFigures.latency(outcome, Acknowledgements.TAG, "acknowledgement of a message");
  }

  /// Whether every message of the run has arrived once.
  public static Result.Verdict complete(Outcome outcome) {
    long sent = outcome.totals().getOrDefault(Counters.SENT, 0L);
    long received = outcome.totals().getOrDefault(Counters.RECEIVED, 0L);
    long doubled = outcome.totals().getOrDefault(Counters.DOUBLED, 0L);
    long lost = sent - (received - doubled);
    boolean met = lost == 0 && doubled == 0 && sent > 0;
    return new Result.Verdict(
        met,
        met
            ? String.format(Locale.ROOT, "All of %,d messages arrived, each once.", sent)
            : String.format(
                Locale.ROOT,
                "Of %,d messages %,d were lost and %,d came twice.",
                sent,
                lost,
                doubled),
        "no message lost or doubled");
  }
}
