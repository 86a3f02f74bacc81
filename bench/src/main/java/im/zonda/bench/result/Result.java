package im.zonda.bench.result;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// All figures of a run. The file `run.json` holds one, and a report is made from it alone.
///
/// @param run what ran
/// @param machine where it ran
/// @param subject the server under load
/// @param figures single figures, the most important first
/// @param latencies distributions of times
/// @param series values by second, from the beginning of the measured part
/// @param marks pauses of the server, on the same axis
/// @param verdicts whether the run met its rules
/// @param tables further tables for people
/// @param notes what a reader must know, such as why a figure is missing
public record Result(
    Run run,
    Machine machine,
    Subject subject,
    List<Figure> figures,
    List<Latency> latencies,
    List<Series> series,
    List<Mark> marks,
    List<Verdict> verdicts,
    List<Table> tables,
    List<String> notes) {
  /// The version of the format.
  public static final int SCHEMA = 1;

  /// The same with another name of its server.
  public Result named(String name) {
    Subject other = new Subject(name, subject.version(), subject.commit(), subject.options());
    return new Result(
        run, machine, other, figures, latencies, series, marks, verdicts, tables, notes);
  }

  /// What ran.
  ///
  /// @param command the command line that repeats the run
  /// @param parameters the value of each option of the scenario, by name
  /// @param seconds the length of the measured part
  /// @param processes how many processes generated the load
  public record Run(
      String scenario,
      List<String> command,
      Map<String, String> parameters,
      long seed,
      Instant started,
      double seconds,
      int processes) {}

  /// Where a run was made.
  ///
  /// @param cpu the model of the processors
  /// @param memory in bytes
  /// @param system name and version of the operating system
  /// @param java the Java run time of the generator
  public record Machine(String cpu, int cores, long memory, String system, String java) {}

  /// The server under load.
  ///
  /// @param name such as `zonda`, `ejabberd`, or the address
  /// @param version as the server says it; empty if unknown
  /// @param commit of a server that was built from sources; empty if unknown
  /// @param options of its process or settings that are not the usual ones
  public record Subject(String name, String version, String commit, List<String> options) {}

  /// A single figure.
  ///
  /// @param name the stable name in lower case with hyphens, such as `cpu-per-message`
  /// @param label for people
  /// @param unit such as `us`, `ms`, `MiB`, `1/s`, `%`; empty for a count
  /// @param interval the interval that holds the true value in 95 of 100 cases; null if unknown
  public record Figure(
      String name, String label, double value, String unit, @Nullable Interval interval) {}

  /// An interval of values.
  public record Interval(double low, double high) {}

  /// A distribution of times.
  ///
  /// @param tag the stable name, such as `delivery`, `last-receiver`, `login`, `roster`
  /// @param histogram microseconds in an HdrHistogram: its compressed form in Base64
  public record Latency(String tag, String label, String histogram) {}

  /// A value for each second; NaN where there is none.
  ///
  /// @param name the stable name, such as `delivery-p99`, `cpu-server`, `rss-server`
  /// @param panel what is drawn together: `latency`, `throughput`, `cpu`, `memory`, `packets`…
  @SuppressWarnings("ArrayRecordComponent") // numbers by the thousand, which nobody changes
  public record Series(String name, String label, String unit, String panel, double[] values) {}

  /// A pause of the server.
  ///
  /// @param second its end, since the beginning of the measured part
  /// @param millis its length
  public record Mark(double second, double millis, String reason) {}

  /// Whether a rule was met.
  ///
  /// @param sentence the answer as a whole sentence with its figure
  /// @param rule what was asked for
  public record Verdict(boolean met, String sentence, String rule) {
    /// The beginning of the sentence about a generator that was late or busy.
    public static final String NOT_VALID = "Not valid";

    /// Whether the generator missed the rule, so that the figures say little of the server.
    public boolean againstGenerator() {
      return !met && sentence.startsWith(NOT_VALID);
    }
  }

  /// A table for people.
  public record Table(String title, List<String> columns, List<List<String>> rows) {}
}
