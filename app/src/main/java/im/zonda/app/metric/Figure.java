package im.zonda.app.metric;

import im.zonda.metric.TimingCounts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The value of a meter at one moment.
///
/// @param longest of lengths of time the longest of the last minute, in seconds; null for others
public record Figure(String meter, List<String> labels, double value, @Nullable Double longest) {
  private static final double NANOS = 1e9;

  /// Copies the list.
  public Figure {
    labels = List.copyOf(labels);
  }

  static Figure of(RecentValues.Current current) {
    TimingCounts times = current.lastMinute();
    return new Figure(
        current.meter().name(),
        current.labels(),
        current.value(),
        times == null ? null : (Double) (times.quantile(1).toNanos() / NANOS));
  }
}
