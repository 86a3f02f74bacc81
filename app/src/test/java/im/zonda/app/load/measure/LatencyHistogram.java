package im.zonda.app.load.measure;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/// Histogram of the latencies, in microseconds, of messages that were due within a time span.
public final class LatencyHistogram {
  private static final long MAX_MICROS = TimeUnit.MINUTES.toMicros(5);

  private final long from;
  private final long until;
  private final Histogram histogram = new ConcurrentHistogram(MAX_MICROS, 3);

  /// The span between two values of [System#nanoTime].
  public LatencyHistogram(long from, long until) {
    this.from = from;
    this.until = until;
  }

  /// Records the latency of a message that was due at `due` and arrives now.
  public void record(long due) {
    if (due >= from && due < until) {
      histogram.recordValue(Math.clamp((System.nanoTime() - due) / 1_000, 0, MAX_MICROS));
    }
  }

  public long count() {
    return histogram.getTotalCount();
  }

  /// Milliseconds at that percentile.
  public double millis(double percentile) {
    return histogram.getValueAtPercentile(percentile) / 1e3;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "p50 %.3f p99 %.3f p99.9 %.3f max %.3f ms",
        millis(50),
        millis(99),
        millis(99.9),
        histogram.getMaxValue() / 1e3);
  }
}
