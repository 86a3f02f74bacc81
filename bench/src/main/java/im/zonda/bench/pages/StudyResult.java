package im.zonda.bench.pages;

import im.zonda.bench.result.Result;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Reads the file `report.json` of `zonda study runtime` as a result: the figures of each cell,
/// means over its rounds, with names such as `c2-plain-jmeter-4800-average`.
final class StudyResult {
  /// The name of its scenario.
  static final String SCENARIO = "study";

  /// Members of a load: their paths, the ends of figures' names, labels and units.
  private static final String[][] OF_LOAD = {
    {"samples", "samples", "pages", ""},
    {"average", "average", "average", "ms"},
    {"least", "least", "shortest", "ms"},
    {"most", "most", "longest", "ms"},
    {"p50", "p50", "median", "ms"},
    {"p99", "p99", "p99", "ms"},
    {"trimmed", "trimmed", "trimmed mean", "ms"},
    {"rate", "rate", "pages", "1/s"},
    {"cpu-per-page-millis", "cpu-per-page", "CPU a page", "ms"},
    {"pool.active-average", "pool-mean", "connections in use", ""},
    {"pool.active-most", "pool-peak", "connections in use, at most", ""}
  };

  /// Members of the last load that say what the process has become.
  private static final String[][] OF_PROCESS = {
    {"kilobytes.VmSize", "vsz", "VSZ", "kB"}, {"kilobytes.VmRSS", "rss", "RSS", "kB"}
  };

  private final Map<String, List<Double>> values = new LinkedHashMap<>();
  private final Map<String, Result.Figure> figures = new LinkedHashMap<>();

  private final Set<String> cells = new TreeSet<>();

  private StudyResult() {}

  /// Whether a file is of a study.
  static boolean isStudy(Map<String, @Nullable Object> file) {
    return file.get("study") instanceof Map && file.get("cells") instanceof List;
  }

  /// The result.
  ///
  /// @throws IllegalArgumentException if what says where it comes from is missing
  static Result of(Map<String, @Nullable Object> file) {
    StudyResult study = new StudyResult();
    for (Object cell : list(file.get("cells"))) {
      study.cell(cell);
    }
    Object about = file.get("study");
    String commit = text(about, "commit");
    return new Result(
        new Result.Run(
            SCENARIO,
            List.of(text(about, "command").split(" ", -1)),
            Map.of("cells", String.join(",", study.cells)),
            0,
            Instant.parse(text(about, "started")),
            0,
            1),
        new Result.Machine(
            text(about, "cpu"),
            find(about, "cores") instanceof Long cores ? cores.intValue() : 0,
            memory(text(about, "memory")),
            text(about, "system"),
            text(about, "java")),
        new Result.Subject(
            "zonda study", "", commit.isEmpty() ? text(about, "note") : commit, List.of()),
        study.means(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  /// Bytes of a text such as `24650000 kB`.
  private static long memory(String text) {
    String digits = text.replaceAll("\\D", "");
    return digits.isEmpty() ? 0 : 1024 * Long.parseLong(digits);
  }

  private void cell(@Nullable Object cell) {
    String name = text(cell, "cell");
    cells.add(name);
    for (Object load : list(find(cell, "loads"))) {
      String of = name + "-" + text(load, "load");
      for (String[] member : OF_LOAD) {
        add(
            of + "-" + member[1],
            name + ", " + text(load, "load") + ", " + member[2],
            member,
            find(load, member[0]));
      }
      for (String[] member : OF_PROCESS) {
        add(name + "-" + member[1], name + ", " + member[2], member, find(load, member[0]));
      }
    }
    for (String what : List.of("start", "stop")) {
      for (Object millis : list(find(cell, what + "-millis"))) {
        String[] member = {"", what, what, "ms"};
        add(name + "-" + what, name + ", " + what, member, millis);
      }
    }
  }

  private void add(String name, String label, String[] member, @Nullable Object value) {
    if (value instanceof Number number) {
      values.computeIfAbsent(name, one -> new ArrayList<>()).add(number.doubleValue());
      figures.putIfAbsent(name, new Result.Figure(name, label, 0, member[3], null));
    }
  }

  private List<Result.Figure> means() {
    return figures.values().stream()
        .map(figure -> {
          double mean =
              Objects.requireNonNull(values.get(figure.name())).stream()
                  .mapToDouble(Double::doubleValue)
                  .average()
                  .orElse(Double.NaN);
          return new Result.Figure(figure.name(), figure.label(), mean, figure.unit(), null);
        })
        .toList();
  }

  private static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  private static @Nullable Object find(@Nullable Object object, String path) {
    Object at = object;
    for (String name : path.split("\\.", -1)) {
      at = at instanceof Map<?, ?> map ? map.get(name) : null;
    }
    return at;
  }

  private static String text(@Nullable Object object, String name) {
    Object value = find(object, name);
    return value == null ? "" : value.toString();
  }
}
