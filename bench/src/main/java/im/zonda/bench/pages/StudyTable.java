package im.zonda.bench.pages;

import im.zonda.bench.plot.Numbers;
import im.zonda.bench.report.Figures;
import im.zonda.bench.report.ReportMarkdown;
import im.zonda.bench.result.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The table of a study ([StudyResult]): a row for each cell, a column for each load with the times
/// of a page and its CPU, and one for each figure of the process.
final class StudyTable {
  private static final Set<String> OF_PAGE = Set.of("average", "p99", "CPU a page");
  private static final String TITLE = "average, p99 and CPU of a page, ms: ";
  private static final String CELL_END = ", ";

  private StudyTable() {}

  /// The table as Markdown.
  static String markdown(Result study) {
    Map<String, Map<String, String>> cells = new TreeMap<>();
    Set<String> columns = new LinkedHashSet<>();
    for (Result.Figure figure : study.figures()) {
      String[] label = figure.label().split(CELL_END, -1);
      Map<String, String> row = cells.computeIfAbsent(label[0], _ -> new LinkedHashMap<>());
      if (label.length == 2) {
        columns.add(label[1]);
        row.put(label[1], Figures.text(figure));
      } else if (label.length == 3 && OF_PAGE.contains(label[2])) {
        columns.add(TITLE + label[1]);
        row.merge(
            TITLE + label[1], Numbers.of(figure.value()), (some, more) -> some + " / " + more);
      }
    }
    List<String> titles = new ArrayList<>(List.of("cell"));
    titles.addAll(columns);
    List<List<String>> rows = new ArrayList<>();
    cells.forEach((cell, row) -> {
      List<String> texts = new ArrayList<>(List.of(cell));
      columns.forEach(column -> texts.add(row.getOrDefault(column, "not measured")));
      rows.add(texts);
    });
    return ReportMarkdown.table(titles, rows);
  }
}
