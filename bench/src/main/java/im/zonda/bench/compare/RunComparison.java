package im.zonda.bench.compare;

import im.zonda.bench.plot.Numbers;
import im.zonda.bench.report.Figures;
import im.zonda.bench.result.Result;
import im.zonda.bench.statistics.Ratio;
import im.zonda.bench.statistics.Sample;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The files of two runs, figure by figure. Each side may have several runs of the same load, which
/// are pairs in their order.
public final class RunComparison {
  private final List<Result> a;
  private final List<Result> b;

  /// A comparison of runs.
  ///
  /// @throws IllegalArgumentException if the loads differ
  public RunComparison(List<Result> a, List<Result> b) {
    this.a = List.copyOf(a);
    this.b = List.copyOf(b);
    Set<String> scenarios = new LinkedHashSet<>();
    a.forEach(result -> scenarios.add(result.run().scenario()));
    b.forEach(result -> scenarios.add(result.run().scenario()));
    if (scenarios.size() != 1) {
      throw new IllegalArgumentException(
          "the runs are of different scenarios: " + String.join(", ", scenarios));
    }
  }

  /// The columns of [#rows].
  public static List<String> columns() {
    return List.of("figure", "A", "B", "B : A", "95 % interval", "which means");
  }

  /// A row for each figure that both sides have.
  public List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    for (Result.Figure figure : a.getFirst().figures()) {
      double[] before = values(a, figure.name());
      double[] after = values(b, figure.name());
      if (before.length > 0 && after.length > 0) {
        rows.add(row(figure, before, after));
      }
    }
    return rows;
  }

  /// The first row in a sentence.
  public String answer() {
    return rows().stream()
        .findFirst()
        .map(row ->
            row.get(0)
                + ": "
                + row.get(1)
                + " of A, "
                + row.get(2)
                + " of B; "
                + (row.get(5).isEmpty() ? "ratio " + row.get(3) : row.get(5))
                + ".")
        .orElse("The runs have no figure in common.");
  }

  private List<String> row(Result.Figure figure, double[] before, double[] after) {
    double medianA = Sample.of(before).median();
    double medianB = Sample.of(after).median();
    List<String> row = new ArrayList<>();
    row.add(figure.label());
    row.add(Numbers.of(medianA, figure.unit()));
    row.add(Numbers.of(medianB, figure.unit()));
    if (!(medianA > 0 && medianB > 0)) {
      row.addAll(List.of("", "", medianA == medianB ? "the same" : ""));
      return row;
    }
    row.add(Numbers.of(medianB / medianA));
    boolean pairs = before.length == after.length && before.length >= Ratio.LEAST_PAIRS;
    if (!pairs || !positive(before) || !positive(after)) {
      return without(row, figure, medianB / medianA);
    }
    Ratio ratio = Ratio.ofPairs(before, after);
    row.set(3, Numbers.of(ratio.value()));
    row.add(Numbers.of(ratio.low()) + " to " + Numbers.of(ratio.high()));
    row.add(meaning(figure, ratio));
    return row;
  }

  private static boolean positive(double[] values) {
    return Sample.of(values).least() > 0;
  }

  /// Completes the row of a figure that has too few runs for an interval of its ratio, unless both
  /// figures have intervals of their own.
  private List<String> without(List<String> row, Result.Figure figure, double ratio) {
    double widthA = width(a, figure.name());
    double widthB = width(b, figure.name());
    if (Double.isNaN(widthA) || Double.isNaN(widthB)) {
      row.add("");
      row.add(
          Math.abs(ratio - 1) < Judgement.WORTH
              ? "below 0.5 %: not worth code"
              : "no interval: " + Ratio.LEAST_PAIRS + " runs of each are needed");
      return row;
    }
    double width = Math.hypot(widthA, widthB);
    double low = ratio * Math.exp(-width);
    double high = ratio * Math.exp(width);
    row.add(Numbers.of(low) + " to " + Numbers.of(high));
    row.add(meaning(figure, new Ratio(ratio, low, high, Double.NaN, 1)));
    return row;
  }

  /// Half the interval of a figure, in logarithms; NaN if it has none.
  private static double width(List<Result> results, String name) {
    return results.getFirst().figures().stream()
        .filter(figure -> figure.name().equals(name) && figure.interval() != null)
        .map(Result.Figure::interval)
        .filter(interval -> interval.low() > 0)
        .mapToDouble(interval -> Math.log(interval.high() / interval.low()) / 2)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static String meaning(Result.Figure figure, Ratio ratio) {
    if (ratio.holdsOne()) {
      return "no difference larger than " + Numbers.of(100 * ratio.largestDifference()) + " %";
    } else if (Math.abs(ratio.value() - 1) < Judgement.WORTH) {
      return "below 0.5 %: not worth code";
    }
    boolean better = ratio.value() > 1 == Figures.moreIsBetter(figure);
    return String.format(
        Locale.ROOT, "B is %s: %+.1f %%", better ? "better" : "worse", 100 * (ratio.value() - 1));
  }

  private static double[] values(List<Result> results, String name) {
    return results.stream()
        .mapToDouble(result -> Figures.value(result, name))
        .filter(value -> !Double.isNaN(value))
        .toArray();
  }
}
