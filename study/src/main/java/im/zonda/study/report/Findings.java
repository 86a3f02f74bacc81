package im.zonda.study.report;

import im.zonda.study.cell.Cell;
import im.zonda.study.statistics.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The findings of the document, and what of them holds, in sentences that are made from figures.
///
/// @param results of the cells
/// @param medium the name of the load with the document's 4,800 samples
record Findings(Results results, String medium) {
  private static final String OPTIMISED = "c2-optimised";
  private static final String STRIPPED = "c2-stripped";
  private static final String GRAAL = "graal-plain";
  private static final String GRAAL_OPTIMISED = "graal-optimised";
  private static final String CPU = "cpu-per-page-millis";
  private static final String RSS = "kilobytes.VmRSS";
  private static final String VSZ = "kilobytes.VmSize";

  /// From this number of processes on there are verdicts.
  private static final int ENOUGH = 3;

  /// All of them.
  List<String> sentences() {
    List<String> all = new ArrayList<>();
    all.add(
        sentence(
            "Optimised bytecode makes pages quicker (then: 123 instead of 179 ms with IBM's machine)",
            ofLoad(OPTIMISED, "average"),
            "the average with optimised jars is"));
    all.add(
        sentence(
            "Optimised bytecode takes less CPU time a page",
            ofLoad(OPTIMISED, CPU),
            "CPU time a page with optimised jars is"));
    all.add(
        sentence(
            "The other compiler makes pages quicker (then: IBM's machine with optimised jars)",
            ofLoad(GRAAL, "average"),
            "the average with the Graal compiler is"));
    all.add(
        sentence(
            "The other compiler takes less CPU time a page",
            ofLoad(GRAAL, CPU),
            "CPU time a page with the Graal compiler is"));
    all.add(
        sentence(
            "Both together make pages quicker (then: 29.71 to 36.55 % less)",
            ofLoad(GRAAL_OPTIMISED, "average"), "the average with both is"));
    addSizes(all);
    addStarts(all);
    return all;
  }

  private void addSizes(List<String> all) {
    all.add(
        sentence(
            "The resident set is smaller in all other cells (then: 79 to 86 %); optimised jars",
            ofLoad(OPTIMISED, RSS), "RSS with optimised jars is"));
    all.add(
        sentence(
            "The resident set is smaller without debug data",
            ofLoad(STRIPPED, RSS),
            "RSS with stripped jars is"));
    all.add(
        sentence(
            "The other machine takes less address space (then: 64.92 to 69.25 %)",
            ofLoad(GRAAL, VSZ), "VSZ with the Graal compiler is"));
  }

  private void addStarts(List<String> all) {
    all.add(
        reverse(
            "Optimised bytecode starts slower (then: 341 instead of 295 s with Sun's machine)",
            ofProcesses(OPTIMISED, "start-millis"),
            "the time to start with optimised jars is"));
    all.add(
        sentence(
            "The other machine starts faster (then: 254 instead of 295 s)",
            ofProcesses(GRAAL, "start-millis"),
            "the time to start with the Graal compiler is"));
    all.add(
        reverse(
            "The other machine stops slower (then: 155 instead of 8 s)",
            ofProcesses(GRAAL, "stop-millis"),
            "the time to stop with the Graal compiler is"));
    all.add(
        sentence(
            "An AOT cache starts faster (not of the document)",
            ofProcesses("aot-cache", "start-millis"),
            "the time to start with the cache is"));
  }

  /// The ratio of a figure of the load, with an interval if there are rounds enough: that within
  /// one process does not hold what two processes differ in.
  private Ratio ofLoad(String cell, String path) {
    return judged(
        results.ratio(cell, Cell.BASE, medium, path), results.figures(cell, medium, path).length);
  }

  private Ratio ofProcesses(String cell, String name) {
    return judged(results.ratio(cell, Cell.BASE, name), results.numbers(cell, name).length);
  }

  private static Ratio judged(Ratio ratio, int values) {
    return values >= ENOUGH ? ratio : new Ratio(ratio.value(), Double.NaN, Double.NaN);
  }

  /// A claim that something is less.
  private static String sentence(String claim, Ratio ratio, String subject) {
    return claim + ": " + verdict(ratio, ratio.isLess(), ratio.isMore()) + shown(ratio, subject);
  }

  /// A claim that something is more.
  private static String reverse(String claim, Ratio ratio, String subject) {
    return claim + ": " + verdict(ratio, ratio.isMore(), ratio.isLess()) + shown(ratio, subject);
  }

  private static String verdict(Ratio ratio, boolean holds, boolean fails) {
    if (Double.isNaN(ratio.value())) {
      return "not measured";
    }
    if (Double.isNaN(ratio.low())) {
      return "too few runs for a verdict";
    }
    return holds ? "holds today" : fails ? "does not hold today" : "no difference is shown";
  }

  private static String shown(Ratio ratio, String subject) {
    return Double.isNaN(ratio.value())
        ? "."
        : "; " + subject + " " + Numbers.percent(ratio) + " of that of " + Cell.BASE + ".";
  }

  static final List<String> REDUCTIONS =
      List.of(
          "row", "by how much less", "then, 4,800 / 9,600", "now, first run", "now, second run");

  /// The computed reductions of the document (rows E9 to E12) beside ours.
  ///
  /// @param large the name of the load with 9,600 samples
  List<List<String>> reductions(String large) {
    return List.of(
        reduction(
            "E9",
            "optimised bytecode with the other machine",
            then(Then.IBM_OPTIMISED, Then.IBM),
            GRAAL_OPTIMISED,
            GRAAL,
            large),
        reduction("E10", "the other machine", then(Then.IBM, Then.SUN), GRAAL, Cell.BASE, large),
        reduction(
            "E11",
            "both together",
            then(Then.IBM_OPTIMISED, Then.SUN),
            GRAAL_OPTIMISED,
            Cell.BASE,
            large),
        List.of(
            "E12",
            "address space of the other machine, default and optimised",
            two(
                Then.less(Then.IBM.virtualSize(), Then.SUN.virtualSize()),
                Then.less(Then.IBM_OPTIMISED.virtualSize(), Then.SUN.virtualSize())),
            Numbers.less(results.ratio(GRAAL, Cell.BASE, medium, VSZ)),
            Numbers.less(results.ratio(GRAAL_OPTIMISED, Cell.BASE, medium, VSZ))));
  }

  private static String then(Then of, Then than) {
    return two(
        Then.less(of.medium().average(), than.medium().average()),
        Then.less(of.large().average(), than.large().average()));
  }

  private static String two(double first, double second) {
    return String.format(Locale.ROOT, "%.2f / %.2f %%", first, second);
  }

  private List<String> reduction(
      String row, String what, String then, String of, String than, String large) {
    return List.of(
        row,
        what,
        then,
        Numbers.less(results.ratio(of, than, medium, "average")),
        Numbers.less(results.ratio(of, than, large, "average")));
  }
}
