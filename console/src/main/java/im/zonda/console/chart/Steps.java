package im.zonda.console.chart;

import im.zonda.console.chart.ChartDefinition.Line;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Values that were measured in the steps of a range. NaN stands for a step without a value.
///
/// @param begin the beginning of the first step
/// @param series the values of each series, by its names
public record Steps(Range range, Instant begin, Map<Key, double[]> series) {
  /// The name of a series.
  public record Key(String metric, String labels, String measure) {}

  /// Reads the result of `server.history` as plain data.
  ///
  /// @param now the end of the range
  public static Steps read(Map<String, @Nullable Object> history, Range range, Instant now) {
    long step = range.step().toSeconds();
    long first = now.getEpochSecond() / step - range.steps() + 1;
    Map<Key, double[]> all = new HashMap<>();
    if (history.get("series") instanceof List<?> series) {
      for (Object each : series) {
        if (each instanceof Map<?, ?> one) {
          Key key = new Key(text(one, "metric"), text(one, "labels"), text(one, "measure"));
          all.put(key, values(one, first, step, range.steps()));
        }
      }
    }
    return new Steps(range, Instant.ofEpochSecond(first * step), all);
  }

  private static String text(Map<?, ?> data, String name) {
    return String.valueOf(data.get(name));
  }

  private static double[] values(Map<?, ?> series, long first, long step, int count) {
    double[] values = new double[count];
    Arrays.fill(values, Double.NaN);
    if (series.get("points") instanceof List<?> points) {
      for (Object each : points) {
        if (each instanceof Map<?, ?> point && point.get("value") instanceof Number value) {
          long at = Instant.parse(text(point, "time")).getEpochSecond() / step - first;
          if (at >= 0 && at < count) {
            values[(int) at] = value.doubleValue();
          }
        }
      }
    }
    return values;
  }

  /// Whether there is a series of a line.
  public boolean has(Line line) {
    return series.keySet().stream().anyMatch(key -> fits(key, line));
  }

  /// The values of a line: the sum of the series that fit.
  public double[] of(Line line) {
    double[] sum = new double[range.steps()];
    Arrays.fill(sum, Double.NaN);
    series.forEach((key, values) -> {
      if (fits(key, line)) {
        for (int i = 0; i < sum.length; i++) {
          sum[i] = Double.isNaN(sum[i]) ? values[i] : sum[i] + orNothing(values[i]);
        }
      }
    });
    return sum;
  }

  private static double orNothing(double value) {
    return Double.isNaN(value) ? 0 : value;
  }

  private static boolean fits(Key key, Line line) {
    return key.metric.equals(line.metric())
        && key.measure.equals(line.measure())
        && key.labels.contains(line.labels());
  }

  /// The last value that there is; NaN if there is none.
  public static double last(double[] values) {
    for (int i = values.length - 1; i >= 0; i--) {
      if (!Double.isNaN(values[i])) {
        return values[i];
      }
    }
    return Double.NaN;
  }

  /// The highest value; NaN if there is none.
  public static double highest(double[] values) {
    double most = Double.NaN;
    for (double each : values) {
      most = Double.isNaN(most) || each > most ? each : most;
    }
    return most;
  }
}
