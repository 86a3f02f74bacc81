package im.zonda.bench.pages;

import im.zonda.bench.plot.Numbers;
import im.zonda.bench.report.Figures;
import im.zonda.bench.report.ReportMarkdown;
import im.zonda.bench.result.Result;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `docs/measurements.md`: prose from a template, figures from results. A line `{{runs}}` of the
/// template stands for the results of `zonda bench`, a line `{{table ID}}` for an earlier table.
final class MeasurementsPage {
  private static final Pattern PLACE = Pattern.compile("(?m)^\\{\\{(runs|table [a-z0-9-]+)}}$");
  static final String GENERATED =
      "<!-- Made by `zonda bench pages` from bench/results; do not edit. -->\n";

  private MeasurementsPage() {}

  /// The page.
  ///
  /// @throws IllegalArgumentException if the template names a table that is not there, or leaves
  ///   one out
  static String text(String template, Map<String, EarlierTable> tables, StoredResults results) {
    Set<String> used = new HashSet<>();
    String page =
        PLACE
            .matcher(template)
            .replaceAll(place -> {
              String[] words = place.group(1).split(" ", 2);
              String content =
                  words.length == 1 ? runs(results) : table(tables, words[1], used).markdown();
              return Matcher.quoteReplacement(content.stripTrailing());
            });
    Set<String> unused = new HashSet<>(tables.keySet());
    unused.removeAll(used);
    if (!unused.isEmpty()) {
      throw new IllegalArgumentException("the template leaves out the tables " + unused);
    }
    return GENERATED + page;
  }

  private static EarlierTable table(Map<String, EarlierTable> tables, String id, Set<String> used) {
    EarlierTable table = tables.get(id);
    if (table == null) {
      throw new IllegalArgumentException("the template names a table that is not there: " + id);
    }
    used.add(id);
    return table;
  }

  private static String runs(StoredResults results) {
    StringBuilder text = new StringBuilder();
    for (String scenario : results.scenarios()) {
      text.append("### ").append(scenario).append("\n\n");
      groups(results.newest(scenario))
          .forEach((_, group) -> {
            text.append(origin(group)).append("\n\n");
            text.append(figures(group)).append('\n');
            group.forEach(stored -> missed(stored.result(), text));
            group.stream()
                .map(MeasurementsPage::command)
                .distinct()
                .forEach(command -> text.append("    ").append(command).append('\n'));
            text.append('\n');
          });
    }
    return text.isEmpty() ? "No result is stored yet." : text.toString();
  }

  /// Results under the same load beside each other: by the parameters of the run.
  private static Map<String, List<StoredResults.Stored>> groups(List<StoredResults.Stored> newest) {
    Map<Map<String, String>, List<StoredResults.Stored>> byLoad = new LinkedHashMap<>();
    for (StoredResults.Stored stored : newest) {
      byLoad
          .computeIfAbsent(stored.result().run().parameters(), load -> new ArrayList<>())
          .add(stored);
    }
    Map<String, List<StoredResults.Stored>> byCommand = new LinkedHashMap<>();
    byLoad
        .values()
        .forEach(group -> {
          byCommand
              .computeIfAbsent(command(group.getFirst()), one -> new ArrayList<>())
              .addAll(group);
        });
    return byCommand;
  }

  private static String command(StoredResults.Stored stored) {
    return String.join(" ", stored.result().run().command());
  }

  private static String origin(List<StoredResults.Stored> group) {
    Result.Machine machine = group.getFirst().result().machine();
    List<String> runs = new ArrayList<>();
    for (StoredResults.Stored stored : group) {
      Result result = stored.result();
      String commit =
          result.subject().commit().isEmpty() ? "" : ", `" + result.subject().commit() + "`";
      runs.add(
          "["
              + Figures.subject(result)
              + "](../bench/results/"
              + stored.file()
              + ") ("
              + result.run().started().toString().substring(0, 10)
              + commit
              + ")");
    }
    return String.join(", ", runs)
        + "; "
        + machine.cores()
        + " x "
        + machine.cpu()
        + ", "
        + Numbers.of(Math.rint(machine.memory() / 1024.0 / 1024 / 1024), "GiB")
        + ", "
        + machine.system()
        + ":";
  }

  private static String figures(List<StoredResults.Stored> group) {
    if (group.getFirst().scenario().equals(StudyResult.SCENARIO)) {
      return StudyTable.markdown(group.getFirst().result());
    }
    List<String> columns = new ArrayList<>(List.of(""));
    FigureRows rows = new FigureRows();
    for (StoredResults.Stored stored : group) {
      columns.add(column(stored.result(), group));
      rows.add(stored.result());
    }
    return ReportMarkdown.table(
        columns, rows.of(group.stream().map(StoredResults.Stored::result).toList()));
  }

  /// The server of a result, with its options if the group has the same server with others.
  private static String column(Result result, List<StoredResults.Stored> group) {
    String subject = Figures.subject(result);
    long same =
        group.stream().filter(other -> Figures.subject(other.result()).equals(subject)).count();
    List<String> options = result.subject().options();
    return same < 2 || options.isEmpty()
        ? subject
        : subject + " (" + String.join(", ", options) + ")";
  }

  private static void missed(Result result, StringBuilder text) {
    for (Result.Verdict verdict : result.verdicts()) {
      if (!verdict.met()) {
        text.append("- **missed** by ")
            .append(Figures.subject(result))
            .append(": ")
            .append(verdict.sentence())
            .append(" Rule: ")
            .append(verdict.rule())
            .append(".\n");
      }
    }
    if (result.verdicts().stream().anyMatch(verdict -> !verdict.met())) {
      text.append('\n');
    }
  }
}
