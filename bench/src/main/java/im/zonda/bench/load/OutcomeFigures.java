package im.zonda.bench.load;

import im.zonda.bench.result.Result;
import java.util.List;
import org.HdrHistogram.Histogram;

/// Figures that scenarios share.
public final class OutcomeFigures {
  private static final double MILLI = 1e3;
  private static final double MEBIBYTE = 1 << 20;

  private OutcomeFigures() {}

  /// A figure without an interval.
  public static Result.Figure figure(String name, String label, double value, String unit) {
    return new Result.Figure(name, label, value, unit, null);
  }

  /// CPU of the server for each of `count` operations; nothing if it is unknown.
  ///
  /// @param name the stable name, such as `cpu-per-message`
  /// @param operation such as `message`
  public static List<Result.Figure> cost(
      Outcome outcome, String name, String operation, long count) {
    double micros = outcome.serverMicros() / count;
    return count == 0 || Double.isNaN(micros)
        ? List.of()
        : List.of(figure(name, "CPU of the server a " + operation, micros, "us"));
  }

  /// The most resident memory of the server; nothing if it is unknown.
  public static List<Result.Figure> memory(Outcome outcome) {
    return outcome.processes().stream()
        .limit(1)
        .map(server ->
            figure(
                "server-memory",
                "resident memory of the server, at most",
                server.residentMost() / MEBIBYTE,
                "MiB"))
        .toList();
  }

  /// p50, p99, p99.9 and the maximum of a tag; nothing if nothing was recorded.
  public static List<Result.Figure> latency(Outcome outcome, String tag, String label) {
    Histogram times = outcome.latencies().get(tag);
    if (times == null) {
      return List.of();
    }
    return List.of(
        figure(tag + "-p50", label + ", median", times.getValueAtPercentile(50) / MILLI, "ms"),
        figure(tag + "-p99", label + ", p99", times.getValueAtPercentile(99) / MILLI, "ms"),
        figure(tag + "-p999", label + ", p99.9", times.getValueAtPercentile(99.9) / MILLI, "ms"),
        figure(tag + "-max", label + ", longest", times.getMaxValue() / MILLI, "ms"));
  }
}
