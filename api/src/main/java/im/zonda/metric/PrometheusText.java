package im.zonda.metric;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes meters in the text format of Prometheus, version 0.0.4.
public final class PrometheusText {
  /// The media type.
  public static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final double NANOS = 1e9;

  private final StringBuilder out = new StringBuilder(16_384);

  private PrometheusText() {}

  /// The text of some meters.
  public static String of(List<Meters.Family> families) {
    PrometheusText text = new PrometheusText();
    families.forEach(text::family);
    return text.out.toString();
  }

  private void family(Meters.Family family) {
    Meter meter = family.meter();
    if (family.samples().isEmpty()) {
      return;
    }
    out.append("# HELP ").append(meter.name()).append(' ');
    escape(meter.help(), false);
    out.append("\n# TYPE ").append(meter.name()).append(' ').append(type(meter.kind()));
    out.append('\n');
    for (Sample each : family.samples()) {
      switch (each) {
        case Sample.Amount(var labels, double value) -> line(meter, "", labels, null, value);
        case Sample.Times(var labels, TimingCounts counts) -> histogram(meter, labels, counts);
        case Sample.Sum(var labels, long count, double seconds) -> {
          line(meter, "_count", labels, null, (double) count);
          line(meter, "_sum", labels, null, seconds);
        }
      }
    }
  }

  private static String type(Meter.Kind kind) {
    return switch (kind) {
      case COUNTER -> "counter";
      case GAUGE -> "gauge";
      case TIMING -> "histogram";
      case SUMMARY -> "summary";
    };
  }

  private void histogram(Meter meter, List<String> labels, TimingCounts counts) {
    for (Duration bound : TimingCounts.BOUNDS) {
      String le = number(bound.toNanos() / NANOS);
      line(meter, "_bucket", labels, le, (double) counts.atMost(bound));
    }
    line(meter, "_bucket", labels, "+Inf", (double) counts.count());
    line(meter, "_count", labels, null, (double) counts.count());
    line(meter, "_sum", labels, null, counts.sum().toNanos() / NANOS);
  }

  private void line(
      Meter meter, String suffix, List<String> labels, @Nullable String bound, double value) {
    out.append(meter.name()).append(suffix);
    String separator = "{";
    for (int i = 0; i < labels.size(); i++) {
      out.append(separator).append(meter.labels().get(i).name()).append("=\"");
      escape(labels.get(i), true);
      out.append('"');
      separator = ",";
    }
    if (bound != null) {
      out.append(separator).append("le=\"").append(bound).append('"');
      separator = ",";
    }
    out.append(separator.equals(",") ? "} " : " ").append(number(value)).append('\n');
  }

  private void escape(String text, boolean quoted) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '"' -> out.append(quoted ? "\\\"" : "\"");
        default -> out.append(c);
      }
    }
  }

  private static String number(double value) {
    long whole = (long) value;
    return whole == value && Math.abs(value) < 1e15 ? Long.toString(whole) : Double.toString(value);
  }
}
