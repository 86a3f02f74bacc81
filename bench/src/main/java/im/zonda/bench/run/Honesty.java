package im.zonda.bench.run;

import im.zonda.bench.load.Latencies;
import im.zonda.bench.result.Result;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/// Judges the generator: a run in which it was late or busy says little of the server.
final class Honesty {
  private static final double MOST_SHARE = 0.8;
  private static final long MOST_DELAY_MICROS = 1_000;

  /// A delay below this is that of timers, not of a generator with too much to do.
  private static final long TIMER_MICROS = 200;

  private static final double MOST_OF_LATENCY = 0.1;
  private static final double MILLI = 1e3;
  private static final double PERCENT = 100;
  private static final int TAIL = 99;

  private Honesty() {}

  /// Whether messages were sent when they were due.
  ///
  /// @param latencies by tag; without those of the generator nothing is said against it
  static Result.Verdict punctual(Map<String, Histogram> latencies) {
    Histogram delays = latencies.get(Latencies.SEND_DELAY);
    Histogram deliveries = latencies.get(Latencies.DELIVERY);
    String rule =
        "send delay p99 at most 1 ms, and at most 10 % of the latency's p99 unless below 0.2 ms";
    if (delays == null) {
      return new Result.Verdict(true, "The generator has no schedule in this scenario.", rule);
    }
    long delay = delays.getValueAtPercentile(TAIL);
    double latency = deliveries == null ? Double.NaN : deliveries.getValueAtPercentile(TAIL);
    boolean late =
        delay > MOST_DELAY_MICROS || (delay > TIMER_MICROS && delay > MOST_OF_LATENCY * latency);
    return new Result.Verdict(
        !late,
        String.format(
            Locale.ROOT,
            late
                ? Result.Verdict.NOT_VALID
                    + ": the generator was late, by %.2f ms at the 99th percentile."
                : "The generator was punctual: at the 99th percentile it sent %.2f ms late.",
            delay / MILLI),
        rule);
  }

  /// Whether the generator had processors left.
  ///
  /// @param micros the CPU time of all its processes
  /// @param processors how many it could use
  static Result.Verdict idle(double micros, double seconds, int processors) {
    double share = micros / 1e6 / Math.max(1e-3, seconds) / processors;
    boolean busy = share > MOST_SHARE;
    return new Result.Verdict(
        !busy,
        String.format(
            Locale.ROOT,
            busy
                ? Result.Verdict.NOT_VALID + ": the generator used %.0f %% of its processors."
                : "The generator used %.0f %% of its processors.",
            share * PERCENT),
        "at most 80 % of the processors of the generator");
  }
}
