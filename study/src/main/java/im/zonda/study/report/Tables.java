package im.zonda.study.report;

import im.zonda.study.cell.Cell;
import im.zonda.study.statistics.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The tables of the report.
///
/// @param results of the cells
record Tables(Results results) {
  static final List<String> FORM =
      List.of(
          "row",
          "cell",
          "run",
          "average / min / max, ms",
          "median / p90 / p99, ms",
          "trimmed mean",
          "rate, 1/s",
          "pool average / max",
          "VSZ / RSS, kB",
          "start",
          "stop");

  /// The cells of the document.
  static List<List<String>> then() {
    List<List<String>> rows = new ArrayList<>();
    for (Then each : Then.ALL) {
      rows.add(then(each, "4,800", each.medium()));
      rows.add(then(each, "9,600", each.large()));
    }
    return rows;
  }

  private static List<String> then(Then cell, String run, Then.Run figures) {
    return List.of(
        cell.id(),
        cell.cell(),
        run,
        String.format(
            Locale.ROOT,
            "%,.0f / %,.0f / %,.0f",
            figures.average(),
            figures.least(),
            figures.most()),
        Numbers.NONE,
        Numbers.NONE,
        Numbers.of(figures.rate()),
        figures.poolAverage() + " / " + figures.poolMost(),
        Numbers.of(cell.virtualSize()) + " / " + Numbers.of(cell.resident()),
        Numbers.seconds(cell.start() * 1e3),
        Numbers.seconds(cell.stop() * 1e3));
  }

  /// The cells of today in the same form, each load of JMeter a row.
  List<List<String>> now(List<String> cells) {
    List<List<String>> rows = new ArrayList<>();
    for (String cell : cells) {
      if (!results.works(cell)) {
        rows.add(broken(cell));
        continue;
      }
      for (String load : results.loads(cell)) {
        if (load.startsWith("jmeter-") || load.equals("start-page")) {
          rows.add(now(cell, load));
        }
      }
    }
    return rows;
  }

  private List<String> broken(String cell) {
    List<String> row = new ArrayList<>(List.of("now", cell, reason(cell)));
    while (row.size() < FORM.size()) {
      row.add(Numbers.NONE);
    }
    return row;
  }

  private String reason(String cell) {
    String error = results.error(cell);
    return error == null ? "not run" : "does not work: " + error.lines().findFirst().orElse("");
  }

  private List<String> now(String cell, String load) {
    return List.of(
        "now",
        cell,
        load,
        triple(cell, load, "average", "least", "most"),
        triple(cell, load, "p50", "p90", "p99"),
        value(cell, load, "trimmed"),
        value(cell, load, "rate"),
        value(cell, load, "pool.active-average") + " / " + value(cell, load, "pool.active-most"),
        value(cell, load, "kilobytes.VmSize") + " / " + value(cell, load, "kilobytes.VmRSS"),
        Numbers.seconds(Results.mean(results.numbers(cell, "start-millis"))),
        Numbers.seconds(Results.mean(results.numbers(cell, "stop-millis"))));
  }

  private String value(String cell, String load, String path) {
    return Numbers.of(results.figure(cell, load, path));
  }

  private String triple(String cell, String load, String a, String b, String c) {
    return value(cell, load, a) + " / " + value(cell, load, b) + " / " + value(cell, load, c);
  }

  static final List<String> COMPARED =
      List.of("cell", "average", "CPU a page", "VSZ", "RSS", "start", "stop");

  /// Each cell in percent of the first one, as the document's comparison.
  List<List<String>> compared(List<String> cells, String load) {
    List<List<String>> rows = new ArrayList<>();
    for (String cell : cells) {
      if (results.works(cell)) {
        rows.add(
            List.of(
                cell,
                percent(cell, load, "average"),
                percent(cell, load, "cpu-per-page-millis"),
                percent(cell, load, "kilobytes.VmSize"),
                percent(cell, load, "kilobytes.VmRSS"),
                Numbers.percent(results.ratio(cell, Cell.BASE, "start-millis")),
                Numbers.percent(results.ratio(cell, Cell.BASE, "stop-millis"))));
      }
    }
    return rows;
  }

  private String percent(String cell, String load, String path) {
    Ratio ratio = results.ratio(cell, Cell.BASE, load, path);
    return Numbers.percent(ratio);
  }

  static final List<String> COST =
      List.of(
          "cell",
          "load",
          "CPU a page, ms",
          "of it JIT, ms",
          "of it GC, ms",
          "database a page, ms",
          "p50 / p90 / p99, ms",
          "rate, 1/s",
          "errors",
          "generator late, p99 ms");

  /// What a page costs, for each load.
  List<List<String>> cost(List<String> cells) {
    List<List<String>> rows = new ArrayList<>();
    for (String cell : cells) {
      for (String load : results.loads(cell)) {
        double samples = results.figure(cell, load, "samples");
        rows.add(
            List.of(
                cell,
                load,
                value(cell, load, "cpu-per-page-millis"),
                Numbers.of(results.figure(cell, load, "jit-millis") / samples),
                Numbers.of(results.figure(cell, load, "gc-millis") / samples),
                Numbers.of(results.figure(cell, load, "database-cpu-millis") / samples),
                triple(cell, load, "p50", "p90", "p99"),
                value(cell, load, "rate"),
                value(cell, load, "errors"),
                value(cell, load, "late-p99")));
      }
    }
    return rows;
  }

  static final List<String> MEMORY =
      List.of(
          "cell",
          "VSZ",
          "RSS",
          "HWM",
          "PSS",
          "in huge pages",
          "page faults",
          "heap used / committed, MiB",
          "code cache, MiB",
          "metaspace, MiB",
          "classes");

  /// The memory after a load; sizes of the process in kB.
  List<List<String>> memory(List<String> cells, String load) {
    List<List<String>> rows = new ArrayList<>();
    for (String cell : cells) {
      if (results.works(cell)) {
        rows.add(
            List.of(
                cell,
                value(cell, load, "kilobytes.VmSize"),
                value(cell, load, "kilobytes.VmRSS"),
                value(cell, load, "kilobytes.VmHWM"),
                value(cell, load, "kilobytes.Pss"),
                value(cell, load, "kilobytes.AnonHugePages"),
                value(cell, load, "faults"),
                mebibytes(cell, load, "memory.heap-used")
                    + " / "
                    + mebibytes(cell, load, "memory.heap-committed"),
                mebibytes(cell, load, "memory.code-cache"),
                mebibytes(cell, load, "memory.metaspace"),
                value(cell, load, "memory.classes")));
      }
    }
    return rows;
  }

  private String mebibytes(String cell, String load, String path) {
    return Numbers.of(results.figure(cell, load, path) / (1 << 20));
  }

  static final List<String> STARTS =
      List.of("cell", "what runs", "starts", "start: min / mean / max, s", "CPU, s", "stop, s");

  /// Starts and stops.
  List<List<String>> starts(List<String> cells) {
    List<List<String>> rows = new ArrayList<>();
    for (String cell : cells) {
      if (!results.works(cell)) {
        rows.add(
            List.of(cell, reason(cell), Numbers.NONE, Numbers.NONE, Numbers.NONE, Numbers.NONE));
        continue;
      }
      double[] starts = results.numbers(cell, "start-millis");
      rows.add(
          List.of(
              cell,
              results.text(cell, "vm"),
              Integer.toString(starts.length),
              range(starts),
              Numbers.of(Results.mean(results.numbers(cell, "start-cpu-millis")) / 1e3),
              range(results.numbers(cell, "stop-millis"))));
    }
    return rows;
  }

  private static String range(double[] millis) {
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    for (double each : millis) {
      least = Math.min(least, each);
      most = Math.max(most, each);
    }
    return Numbers.of(least / 1e3)
        + " / "
        + Numbers.of(Results.mean(millis) / 1e3)
        + " / "
        + Numbers.of(most / 1e3);
  }
}
