package im.zonda.study.report;

import im.zonda.study.statistics.Ratio;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The results of all cells, of all rounds.
final class Results {
  /// From this number of rounds on, intervals are those between processes.
  private static final int ENOUGH_ROUNDS = 3;

  private final Map<String, List<Map<String, @Nullable Object>>> byCell = new LinkedHashMap<>();

  Results(List<Map<String, @Nullable Object>> files) {
    for (Map<String, @Nullable Object> file : files) {
      byCell.computeIfAbsent(text(file, "cell"), _ -> new ArrayList<>()).add(file);
    }
  }

  /// The names of the cells that have run.
  List<String> cells() {
    return List.copyOf(byCell.keySet());
  }

  /// Whether a cell has run and works.
  boolean works(String cell) {
    return byCell.containsKey(cell) && error(cell) == null;
  }

  /// Why a cell does not work; null if it does, or has not run.
  @Nullable String error(String cell) {
    for (Map<String, @Nullable Object> round : rounds(cell)) {
      if (round.get("error") instanceof String error) {
        return error;
      }
    }
    return null;
  }

  private List<Map<String, @Nullable Object>> rounds(String cell) {
    return byCell.getOrDefault(cell, List.of());
  }

  /// A text of a cell, of its first round; empty if there is none.
  String text(String cell, String name) {
    List<Map<String, @Nullable Object>> rounds = rounds(cell);
    return rounds.isEmpty() ? "" : text(rounds.getFirst(), name);
  }

  private static String text(Map<String, @Nullable Object> object, String name) {
    Object value = object.get(name);
    return value == null ? "" : value.toString();
  }

  /// The numbers of a list of a cell, such as `start-millis`, of all rounds.
  double[] numbers(String cell, String name) {
    List<Double> all = new ArrayList<>();
    for (Map<String, @Nullable Object> round : rounds(cell)) {
      if (round.get(name) instanceof List<?> list) {
        list.forEach(each -> all.add(((Number) each).doubleValue()));
      }
    }
    return all.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /// The names of the loads of a cell.
  List<String> loads(String cell) {
    return rounds(cell).stream()
        .flatMap(round -> loads(round).stream())
        .map(load -> text(load, "load"))
        .distinct()
        .toList();
  }

  @SuppressWarnings("unchecked") // as the file was written
  private static List<Map<String, @Nullable Object>> loads(Map<String, @Nullable Object> round) {
    return round.get("loads") instanceof List<?> list
        ? (List<Map<String, @Nullable Object>>) list
        : List.of();
  }

  /// A figure of a load, one for each round.
  ///
  /// @param path the name, or names joined by a stop, such as `pool.active-most`
  double[] figures(String cell, String load, String path) {
    List<Double> all = new ArrayList<>();
    for (Map<String, @Nullable Object> round : rounds(cell)) {
      for (Map<String, @Nullable Object> each : loads(round)) {
        if (text(each, "load").equals(load) && find(each, path) instanceof Number number) {
          all.add(number.doubleValue());
        }
      }
    }
    return all.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /// The mean of a figure over the rounds; NaN if there is none.
  double figure(String cell, String load, String path) {
    return mean(figures(cell, load, path));
  }

  /// The numbers of an object of a load of the first round, such as `scans-per-page`.
  Map<String, Double> numbersOf(String cell, String load, String name) {
    Map<String, Double> all = new LinkedHashMap<>();
    for (Map<String, @Nullable Object> each :
        rounds(cell).isEmpty()
            ? List.<Map<String, @Nullable Object>>of()
            : loads(rounds(cell).getFirst())) {
      if (text(each, "load").equals(load) && each.get(name) instanceof Map<?, ?> map) {
        map.forEach((key, value) -> {
          if (value instanceof Number number) {
            all.put(String.valueOf(key), number.doubleValue());
          }
        });
      }
    }
    return all;
  }

  private static @Nullable Object find(Map<String, @Nullable Object> object, String path) {
    Object at = object;
    for (String name : path.split("\\.", -1)) {
      at = at instanceof Map<?, ?> map ? map.get(name) : null;
    }
    return at;
  }

  /// The ratio of a figure of a cell to that of another.
  Ratio ratio(String cell, String base, String load, String path) {
    return Ratio.of(spread(cell, load, path), spread(base, load, path));
  }

  /// The ratio of a list of numbers of a cell to that of another.
  Ratio ratio(String cell, String base, String name) {
    return Ratio.of(numbers(cell, name), numbers(base, name));
  }

  /// Values with which the figure varies: of rounds; or, of averages with few rounds, of parts of
  /// the run.
  private double[] spread(String cell, String load, String path) {
    double[] figures = figures(cell, load, path);
    if (figures.length >= ENOUGH_ROUNDS || !path.equals("average")) {
      return figures;
    }
    List<Double> all = new ArrayList<>();
    for (Map<String, @Nullable Object> round : rounds(cell)) {
      for (Map<String, @Nullable Object> each : loads(round)) {
        if (text(each, "load").equals(load) && each.get("batches") instanceof List<?> batches) {
          batches.forEach(batch -> all.add(((Number) batch).doubleValue()));
        }
      }
    }
    return all.stream().mapToDouble(Double::doubleValue).toArray();
  }

  static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }
}
