package im.zonda.bench.pages;

import im.zonda.bench.plot.Numbers;
import im.zonda.bench.report.Figures;
import im.zonda.bench.report.ReportMarkdown;
import im.zonda.bench.result.Result;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// `docs/performance.md`: prose from a template, with one table of what each workload costs today.
/// A line `{{workloads A; B --option; …}}` of the template stands for that table: each workload is
/// a scenario and words that its command must have.
final class PerformancePage {
  private static final Pattern PLACE = Pattern.compile("(?m)^\\{\\{workloads ([^}]+)}}$");
  private static final List<String> COLUMNS =
      List.of(
          "workload",
          "CPU of the server",
          "time: median, p99",
          "resident, at most",
          "the best other server",
          "rules missed",
          "commit");
  private static final String JVM = "--server-jvm";

  private PerformancePage() {}

  /// The page.
  ///
  /// @throws IllegalArgumentException if the template names a workload that has no result
  static String text(String template, StoredResults results) {
    return MeasurementsPage.GENERATED
        + PLACE
            .matcher(template)
            .replaceAll(
                place -> Matcher.quoteReplacement(table(place.group(1), results).stripTrailing()));
  }

  private static String table(String workloads, StoredResults results) {
    List<List<String>> rows = new ArrayList<>();
    for (String workload : workloads.split("; ", -1)) {
      List<String> words = Arrays.asList(workload.split(" ", -1));
      String scenario = words.getFirst();
      StoredResults.Stored own =
          results.newest(scenario).stream()
              .filter(stored -> isAsShipped(stored) && has(stored, words))
              .findFirst()
              .orElseThrow(
                  () -> new IllegalArgumentException("the workload has no result: " + workload));
      rows.add(row(workload, own, results.newest(scenario)));
    }
    return ReportMarkdown.table(COLUMNS, rows);
  }

  /// Whether the server is this project's with its usual, durable storage.
  private static boolean isAsShipped(StoredResults.Stored stored) {
    return stored.result().subject().name().equals("zonda");
  }

  /// Whether a run had these words in its command; options of the JVM only if they are among them.
  private static boolean has(StoredResults.Stored stored, List<String> words) {
    List<String> command = stored.result().run().command();
    return command.containsAll(words) && command.contains(JVM) == words.contains(JVM);
  }

  private static List<String> row(
      String workload, StoredResults.Stored stored, List<StoredResults.Stored> all) {
    Result result = stored.result();
    Result.Figure cpu = first(result, figure -> figure.name().startsWith("cpu-per-"));
    long missed = result.verdicts().stream().filter(verdict -> !verdict.met()).count();
    return List.of(
        "[" + workload + "](measurements.md#" + stored.scenario() + ")",
        cpu == null ? "" : Figures.text(cpu) + " " + cpu.label().replace("CPU of the server ", ""),
        time(result),
        memory(result),
        cpu == null ? "" : best(cpu, result, all),
        missed == 0 ? "" : "**" + missed + "**",
        "`" + result.subject().commit() + "`");
  }

  /// The first distribution of times.
  private static String time(Result result) {
    Result.Figure median = first(result, figure -> figure.name().endsWith("-p50"));
    if (median == null) {
      return "";
    }
    String name = median.name().replaceFirst("-p50$", "-p99");
    return median.label().replaceFirst(", median$", "")
        + ": "
        + Numbers.of(median.value())
        + ", "
        + Numbers.of(Figures.value(result, name), median.unit());
  }

  /// The resident memory of the server, or of its first node.
  private static String memory(Result result) {
    Result.Figure memory =
        first(
            result,
            figure ->
                figure.unit().equals("MiB")
                    && figure.name().matches("server-memory|rss-.*|memory-server"));
    return memory == null ? "" : Figures.text(memory);
  }

  /// The other server with the least CPU on the same load that did the work, with the ratio.
  private static String best(Result.Figure cpu, Result result, List<StoredResults.Stored> all) {
    Optional<Result> best =
        all.stream()
            .filter(stored ->
                !stored.isOwn()
                    && stored.result().run().parameters().equals(result.run().parameters()))
            .map(StoredResults.Stored::result)
            .min(Comparator.comparingDouble(other -> Figures.value(other, cpu.name())));
    return best.map(
            other -> {
              double value = Figures.value(other, cpu.name());
              return Figures.subject(other).split(" ", 2)[0]
                  + " "
                  + Numbers.of(value, cpu.unit())
                  + ", "
                  + Numbers.of(value / cpu.value())
                  + " times as much";
            })
        .orElse("");
  }

  private static Result.@Nullable Figure first(Result result, Predicate<Result.Figure> is) {
    return result.figures().stream()
        .filter(figure -> is.test(figure) && !Double.isNaN(figure.value()))
        .findFirst()
        .orElse(null);
  }
}
