package im.zonda.bench.sample;

import im.zonda.bench.load.Outcome;
import im.zonda.bench.result.Result;
import im.zonda.profile.ThreadKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Costs of processes while they were sampled.
///
/// @param beginNanos when sampling began, by [System#nanoTime]
/// @param seconds how long it went on
/// @param uses the processes of the server and its database, in their order
/// @param series CPU and memory of each process by second
/// @param threads CPU time in microseconds by kind of thread, of the first process; empty if it is
///   unknown
/// @param machine what else the processors did
public record Samples(
    long beginNanos,
    double seconds,
    List<Outcome.ProcessUse> uses,
    List<Result.Series> series,
    Map<ThreadKind, Double> threads,
    Machine machine) {
  private static final double MICROS = 1e6;

  /// More than that many processors of other work spoil a run.
  private static final double OTHERS_ALLOWED = 0.25;

  /// What the processors did besides the server, in processors (1 is one processor all the time).
  ///
  /// @param generator the processes of the generator
  /// @param others everything else on the machine
  /// @param stolen taken by the host of a virtual machine
  public record Machine(double generator, double others, double stolen) {}

  /// What a reader must know of the machine: other work, and time that the host took.
  public List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (machine.others > OTHERS_ALLOWED) {
      notes.add(
          String.format(
              Locale.ROOT,
              "Other work on the machine used %.2f processors; figures with less than %.2f can be"
                  + " relied on.",
              machine.others,
              OTHERS_ALLOWED));
    }
    if (machine.stolen > OTHERS_ALLOWED) {
      notes.add(
          String.format(
              Locale.ROOT,
              "The host of this virtual machine took %.2f processors away.",
              machine.stolen));
    }
    return notes;
  }

  /// The CPU time of the first process by kind of thread, as a table.
  ///
  /// @param operations what was done meanwhile, such as messages; 0 if nothing is counted
  public Result.Table threadTable(long operations) {
    List<List<String>> rows = new ArrayList<>();
    double all = threads.values().stream().mapToDouble(Double::doubleValue).sum();
    threads.forEach((kind, micros) ->
        rows.add(
            List.of(
                switch (kind) {
                  case COLLECTOR -> "garbage collector";
                  case COMPILER -> "compilers";
                  case MACHINE -> "virtual machine";
                  case JAVA -> "threads of Java";
                },
                String.format(Locale.ROOT, "%.2f", micros / MICROS),
                all == 0 ? "" : String.format(Locale.ROOT, "%.1f", 100 * micros / all),
                operations == 0 ? "" : String.format(Locale.ROOT, "%.2f", micros / operations))));
    return new Result.Table(
        "CPU of the server by kind of thread",
        List.of("threads", "s", "%", "us an operation"),
        rows);
  }
}
