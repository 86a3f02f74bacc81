package im.zonda.app.metric;

import im.zonda.metric.Label;
import im.zonda.metric.Meters;
import im.zonda.metric.PrometheusText;
import im.zonda.metric.TimingCounts;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;

/// Operations that show what the server counts and measures.
public final class MetricOperations {
  private static final double NANOS = 1e9;
  static final int MOST = 5_000;

  /// The value of one series.
  public record Value(
      @Field(Field.NODE) @Nullable String node,
      @Field("the name of the meter") String name,
      @Field("the labels of the series, such as kind=\"message\"; empty if there are none")
          String labels,
      @Field("the value; of lengths of time, how many there were") double value,
      @Field("how fast it grows, over the last 5 to 10 seconds; null if it can fall")
          @Nullable Double perSecond,
      @Field("of lengths of time, the median of the last minute in seconds") @Nullable Double p50,
      @Field("the 99th percentile") @Nullable Double p99,
      @Field("the 99.9th percentile") @Nullable Double p999,
      @Field("the longest") @Nullable Double max) {}

  /// Values.
  public record Listed(
      @Field(value = "the series, by the names of their meters", max = MOST) List<Value> metrics) {}

  /// A text.
  public record Text(
      @Field(value = "the text, as Prometheus reads it", form = Form.LINES) String text) {}

  /// `server.metrics`.
  public static final Operation<Nothing, Listed> METRICS =
      Operation.read("server.metrics", Right.SERVER)
          .ofNodes()
          .at("GET /metrics", "Say what is counted and measured", Nothing.class, Listed.class);

  /// `server.prometheus`.
  public static final Operation<Nothing, Text> PROMETHEUS =
      Operation.read("server.prometheus", Right.SERVER)
          .ofNode()
          .at(
              "GET /metrics/prometheus",
              "Say what is counted and measured, as Prometheus reads it",
              Nothing.class,
              Text.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL =
      List.of(METRICS, PROMETHEUS, HistoryOperation.HISTORY);

  private final Meters meters;
  private final RecentValues recent;
  private final HistoryOperation history;

  MetricOperations(Meters meters, RecentValues recent, HistoryOperation history) {
    this.meters = meters;
    this.recent = recent;
    this.history = history;
  }

  /// The operations.
  List<Offer<?, ?>> offers() {
    return List.of(
        METRICS.by((_, _) ->
            Outcome.done(
                new Listed(recent.current().stream().map(MetricOperations::value).toList()))),
        PROMETHEUS.by((_, _) -> Outcome.done(new Text(PrometheusText.of(meters.read())))),
        history.offer());
  }

  private static Value value(RecentValues.Current current) {
    TimingCounts times = current.lastMinute();
    return new Value(
        null,
        current.meter().name(),
        labels(current.meter().labels(), current.labels()),
        current.value(),
        current.perSecond(),
        quantile(times, 0.5),
        quantile(times, 0.99),
        quantile(times, 0.999),
        quantile(times, 1));
  }

  /// The values of several nodes as those of one: numbers are added; of lengths of time there is
  /// the worst node's.
  public static List<Value> together(List<Value> values) {
    Map<String, Value> all = new LinkedHashMap<>();
    values.forEach(
        each -> all.merge(each.name() + " " + each.labels(), each, MetricOperations::together));
    return List.copyOf(all.values());
  }

  private static Value together(Value one, Value other) {
    return new Value(
        null,
        one.name(),
        one.labels(),
        one.value() + other.value(),
        together(one.perSecond(), other.perSecond(), Double::sum),
        together(one.p50(), other.p50(), Math::max),
        together(one.p99(), other.p99(), Math::max),
        together(one.p999(), other.p999(), Math::max),
        together(one.max(), other.max(), Math::max));
  }

  private static @Nullable Double together(
      @Nullable Double one, @Nullable Double other, DoubleBinaryOperator how) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return how.applyAsDouble(one, other);
  }

  private static @Nullable Double quantile(@Nullable TimingCounts times, double part) {
    return times == null ? null : (Double) (times.quantile(part).toNanos() / NANOS);
  }

  private static String labels(List<Label> names, List<String> values) {
    StringJoiner text = new StringJoiner(",");
    for (int i = 0; i < values.size(); i++) {
      text.add(names.get(i).name() + "=\"" + values.get(i) + "\"");
    }
    return text.toString();
  }
}
