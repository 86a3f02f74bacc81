package im.zonda.bench.load;

import im.zonda.bench.result.Result;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/// The measurements of a run, of all processes together.
///
/// @param options the options of the run
/// @param seconds the length of the measured phase
/// @param latencies microseconds by tag, of the measured phase
/// @param counters events by name, of the measured phase
/// @param totals events by name, of the whole run
/// @param processes the processes of the server and its database, the server first; empty if they
///   are unknown
/// @param series values by second of the measured phase: percentiles, counters (`rate-NAME`), CPU
///   and memory of processes (`cpu-server` in percent, `rss-server` in MiB)
public record Outcome(
    Options options,
    double seconds,
    Map<String, Histogram> latencies,
    Map<String, Long> counters,
    Map<String, Long> totals,
    List<ProcessUse> processes,
    List<Result.Series> series) {
  /// An outcome without series.
  public Outcome(
      Options options,
      double seconds,
      Map<String, Histogram> latencies,
      Map<String, Long> counters,
      Map<String, Long> totals,
      List<ProcessUse> processes) {
    this(options, seconds, latencies, counters, totals, processes, List.of());
  }

  /// The values of a series by second; empty if there is none of that name.
  public double[] bySecond(String name) {
    return series.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .map(Result.Series::values)
        .orElse(new double[0]);
  }

  /// What a process used in the measured phase.
  ///
  /// @param name such as `server`, `edge 1`, `database`
  /// @param cpuMicros user and system time
  /// @param residentMost the most resident memory, in bytes
  public record ProcessUse(String name, double cpuMicros, long residentMost) {}

  /// The events of a counter in the measured phase; 0 if there were none.
  public long count(String name) {
    return counters.getOrDefault(name, 0L);
  }

  /// The CPU time of the server in the measured phase, without its database, in microseconds; NaN
  /// if it is unknown.
  public double serverMicros() {
    List<ProcessUse> own =
        processes.stream().filter(use -> !use.name().startsWith("database")).toList();
    return own.isEmpty() ? Double.NaN : own.stream().mapToDouble(ProcessUse::cpuMicros).sum();
  }
}
