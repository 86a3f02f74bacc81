package im.zonda.bench.command;

import im.zonda.bench.plot.Numbers;
import im.zonda.bench.report.Figures;
import im.zonda.bench.report.ReportMarkdown;
import im.zonda.bench.report.ReportPage;
import im.zonda.bench.result.Result;
import im.zonda.bench.result.ResultJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/// Runs of one scenario by a command that makes several, with a page that compares them. Not
/// thread-safe.
final class ScenarioRuns {
  private static final List<String> FIGURES =
      List.of(
          "pause-max",
          "delivery-p99",
          "delivery-p999",
          "delivery-max",
          "login-p99",
          "message-online-p99",
          "last-receiver-p99",
          "late",
          "lost",
          "cpu-per-copy",
          "cpu-per-message",
          "cpu-per-story",
          "server-memory");

  private final CommandLine command;
  private final PrintWriter text;
  private final Path out;
  private final Map<String, Result> results = new LinkedHashMap<>();

  /// @param parent the command that has the scenarios as subcommands
  /// @param out the folder with a folder for each run
  /// @throws IllegalArgumentException if there is no such scenario
  ScenarioRuns(CommandLine parent, String scenario, Path out) {
    CommandLine found = parent.getSubcommands().get(scenario);
    if (found == null || !(found.getCommand() instanceof ScenarioCommand)) {
      throw new IllegalArgumentException("there is no scenario " + scenario);
    }
    this.command = found;
    this.text = parent.getOut();
    this.out = out;
  }

  /// Runs the scenario once.
  ///
  /// @param label the name of the run and of its folder
  /// @param options the words behind the scenario's name
  /// @return the exit code of the scenario
  int run(String label, List<String> options) throws IOException {
    Path folder = out.resolve(label.isEmpty() ? "run" : label);
    List<String> words = new ArrayList<>(options);
    words.addAll(List.of("--out", folder.toString()));
    text.println();
    text.println(label + ":");
    text.flush();
    int code = command.execute(words.toArray(String[]::new));
    Path file = folder.resolve("run.json");
    if (Files.exists(file)) {
      results.put(label, ResultJson.read(file));
    } else {
      text.println(label + " has not ended.");
    }
    return code;
  }

  /// The results of the runs that have ended, by label.
  Map<String, Result> results() {
    return results;
  }

  /// Prints the answer and a table of all runs, and writes both with the curves of the runs.
  ///
  /// @param page the file's name
  void report(String page, String answer) throws IOException {
    Result.Table table = table(results);
    List<Result> named = new ArrayList<>();
    results.forEach((label, result) ->
        named.add(result.named(label.isEmpty() ? result.subject().name() : label)));
    Path file = out.resolve(page);
    Files.writeString(file, ReportPage.comparison(answer, table, named));
    text.println();
    text.println(answer);
    text.println();
    text.print(ReportMarkdown.table(table.columns(), table.rows()));
    text.println();
    text.println("Report: " + file);
    text.flush();
  }

  /// A row for each run: the figures that at least one of them has, its live heap, and its rules.
  static Result.Table table(Map<String, Result> results) {
    List<String> columns = new ArrayList<>(List.of("run", "rules met"));
    List<String> names = new ArrayList<>();
    for (String name : FIGURES) {
      results.values().stream()
          .flatMap(result -> result.figures().stream())
          .filter(figure -> figure.name().equals(name))
          .findFirst()
          .ifPresent(figure -> {
            names.add(name);
            columns.add(figure.label() + (figure.unit().isEmpty() ? "" : ", " + figure.unit()));
          });
    }
    columns.add("pauses in all, ms");
    columns.add("live heap at most, MiB");
    List<List<String>> rows = new ArrayList<>();
    results.forEach((label, result) -> {
      List<String> row = new ArrayList<>();
      row.add(label);
      long met = result.verdicts().stream().filter(Result.Verdict::met).count();
      row.add(met + " of " + result.verdicts().size());
      names.forEach(name -> row.add(Numbers.of(Figures.value(result, name))));
      row.add(Numbers.of(result.marks().stream().mapToDouble(Result.Mark::millis).sum()));
      row.add(Numbers.of(liveHeap(result)));
      rows.add(row);
    });
    return new Result.Table("Runs", columns, rows);
  }

  private static double liveHeap(Result result) {
    return result.series().stream()
        .filter(series -> series.name().equals("heap-live"))
        .flatMapToDouble(series -> Arrays.stream(series.values()))
        .filter(value -> !Double.isNaN(value))
        .max()
        .orElse(Double.NaN);
  }
}
