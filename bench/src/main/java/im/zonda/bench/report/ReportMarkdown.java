package im.zonda.bench.report;

import im.zonda.bench.result.Result;
import java.util.List;
import java.util.stream.Collectors;

/// The report of a run as Markdown, without plots.
public final class ReportMarkdown {
  private ReportMarkdown() {}

  /// The text.
  ///
  /// @param results one for each server under the same load, the one that matters first
  public static String text(List<Result> results) {
    Result first = results.getFirst();
    StringBuilder text = new StringBuilder("# " + Answer.sentence(results) + "\n\n");
    for (Result result : results) {
      for (Result.Verdict verdict : result.verdicts()) {
        text.append(verdict.met() ? "- met: " : "- **missed**: ")
            .append(results.size() > 1 ? Figures.subject(result) + ": " : "")
            .append(verdict.sentence())
            .append(" Rule: ")
            .append(verdict.rule())
            .append(".\n");
      }
    }
    FigureSection figures = new FigureSection(results);
    text.append('\n');
    if (results.size() == 1) {
      text.append(table(List.of("figure", "value", "95 % interval"), figures.single()));
    } else {
      text.append(table(figures.columns(), figures.compared()));
    }
    ThenSection then = new ThenSection(results);
    if (!then.rows().isEmpty()) {
      text.append("\n## Then and now\n\n").append(table(then.columns(), then.rows()));
      text.append("\nThe documents measured on: ").append(then.hardware()).append(".\n");
    }
    RunSection run = new RunSection(results);
    if (!run.missing().isEmpty()) {
      text.append("\n## Not measured, and notes\n\n");
      run.missing().forEach(sentence -> text.append("- ").append(sentence).append('\n'));
    }
    text.append("\n## Repeat it\n\n    ").append(run.command()).append("\n\n");
    text.append(table(List.of("setting", "value"), run.settings())).append('\n');
    text.append(table(List.of("machine", "value"), run.machine())).append('\n');
    text.append(table(List.of("server", "version", "commit", "options"), run.subjects()));
    return first.tables().isEmpty() ? text.toString() : text.append(tables(results)).toString();
  }

  private static String tables(List<Result> results) {
    return results.stream()
        .flatMap(result -> result.tables().stream())
        .map(table -> "\n## " + table.title() + "\n\n" + table(table.columns(), table.rows()))
        .collect(Collectors.joining());
  }

  /// A table of Markdown.
  public static String table(List<String> columns, List<List<String>> rows) {
    StringBuilder table = new StringBuilder(line(columns)).append('|');
    table.append("---|".repeat(columns.size())).append('\n');
    rows.forEach(row -> table.append(line(row)));
    return table.toString();
  }

  private static String line(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replace("|", "\\|").replace("\n", " "))
        .map(cell -> cell.isEmpty() ? "" : cell + " ")
        .collect(Collectors.joining("| ", "| ", "|\n"));
  }
}
