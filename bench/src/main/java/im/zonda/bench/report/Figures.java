package im.zonda.bench.report;

import im.zonda.bench.plot.Numbers;
import im.zonda.bench.result.Result;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Figures of results.
public final class Figures {
  /// Units of which more is better.
  private static final Set<String> MORE_IS_BETTER = Set.of("1/s", "MiB/s", "MB/s");

  private Figures() {}

  /// The value of a figure; NaN if the result has none of this name.
  public static double value(Result result, String name) {
    return result.figures().stream()
        .filter(figure -> figure.name().equals(name))
        .mapToDouble(Result.Figure::value)
        .findFirst()
        .orElse(Double.NaN);
  }

  /// Whether a greater value is the better one. It is for rates; times, memory and counts of what
  /// went wrong are better if they are small.
  public static boolean moreIsBetter(Result.Figure figure) {
    return MORE_IS_BETTER.contains(figure.unit());
  }

  /// The name of a server with its version.
  public static String subject(Result result) {
    String version = result.subject().version();
    return result.subject().name() + (version.isEmpty() ? "" : " " + version);
  }

  /// A figure with its interval, such as `28.5 us (27.3 to 29.7)`.
  public static String text(Result.Figure figure) {
    Result.Interval interval = figure.interval();
    String text = Numbers.of(figure.value(), figure.unit());
    return interval == null
        ? text
        : text + " (" + Numbers.of(interval.low()) + " to " + Numbers.of(interval.high()) + ")";
  }

  /// One figure of each name that results have, in the order of the first result.
  static List<Result.Figure> all(List<Result> results) {
    Map<String, Result.Figure> byName = new LinkedHashMap<>();
    results.forEach(
        result -> result.figures().forEach(figure -> byName.putIfAbsent(figure.name(), figure)));
    return List.copyOf(byName.values());
  }
}
