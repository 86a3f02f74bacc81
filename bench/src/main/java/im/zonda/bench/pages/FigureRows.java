package im.zonda.bench.pages;

import im.zonda.bench.plot.Numbers;
import im.zonda.bench.report.Figures;
import im.zonda.bench.result.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The rows of a table of figures: those of one distribution, such as its median and its longest
/// time, share a row. Not thread-safe.
final class FigureRows {
  private static final Pattern OF_DISTRIBUTION =
      Pattern.compile("(.+), (median|p99|p99\\.9|longest)");

  /// The figures of each row, by its name.
  private final Map<String, Map<String, Result.Figure>> rows = new LinkedHashMap<>();

  /// Adds the figures of a result that no result before has had.
  void add(Result result) {
    for (Result.Figure figure : result.figures()) {
      Matcher matcher = OF_DISTRIBUTION.matcher(figure.label());
      String row = matcher.matches() ? matcher.group(1) + ", " + figure.unit() : figure.name();
      rows.computeIfAbsent(row, _ -> new LinkedHashMap<>()).putIfAbsent(figure.name(), figure);
    }
  }

  /// The rows, with a cell for each result.
  List<List<String>> of(List<Result> results) {
    List<List<String>> all = new ArrayList<>();
    for (Map<String, Result.Figure> row : rows.values()) {
      List<Result.Figure> figures = List.copyOf(row.values());
      List<String> cells = new ArrayList<>(List.of(label(figures)));
      results.forEach(result -> cells.add(cell(result, figures)));
      all.add(cells);
    }
    return all;
  }

  private static String label(List<Result.Figure> figures) {
    if (figures.size() == 1) {
      return figures.getFirst().label();
    }
    String parts =
        figures.stream()
            .map(figure -> figure.label().substring(figure.label().lastIndexOf(", ") + 2))
            .collect(Collectors.joining(", "));
    String first = figures.getFirst().label();
    return first.substring(0, first.lastIndexOf(", ")) + ": " + parts;
  }

  private static String cell(Result result, List<Result.Figure> figures) {
    Map<String, Result.Figure> here = new TreeMap<>();
    result.figures().forEach(figure -> here.put(figure.name(), figure));
    List<Result.Figure> found =
        figures.stream()
            .map(figure -> here.get(figure.name()))
            .filter(figure -> figure != null && !Double.isNaN(figure.value()))
            .toList();
    if (found.size() < figures.size()) {
      return "not measured";
    }
    String unit = found.getFirst().unit();
    return found.size() == 1
        ? Figures.text(found.getFirst())
        : found.stream()
                .map(figure -> Numbers.of(figure.value()))
                .collect(Collectors.joining(" / "))
            + (unit.isEmpty() ? "" : " " + unit);
  }
}
