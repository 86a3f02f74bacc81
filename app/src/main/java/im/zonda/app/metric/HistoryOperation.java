package im.zonda.app.metric;

import im.zonda.app.metric.MeterHistory.Measure;
import im.zonda.app.metric.MeterHistory.Point;
import im.zonda.app.metric.MeterHistory.Step;
import im.zonda.metric.Label;
import im.zonda.metric.Meter;
import im.zonda.operation.Field;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// `server.history`: what was measured in the last 30 days.
public final class HistoryOperation {
  static final int MOST_NAMES = 2_000;
  static final int MOST_POINTS = 2_880;

  /// Which history.
  public record Wanted(
      @Field(value = "the names of the meters, in a query separated by commas", max = MOST_NAMES)
          List<String> metrics,
      @Field(
              value =
                  "seconds: 12 minutes in steps of five seconds; minutes: a day by minutes;"
                      + " quarters: 30 days in steps of 15 minutes",
              fallback = "seconds")
          Step step,
      @Field("the earliest time; null for all") @Nullable Instant since,
      @Field("the latest time; null for now") @Nullable Instant until,
      @Field(
              value = "the most points of a series: more steps are put together",
              min = 1,
              max = MOST_POINTS,
              fallback = "2880")
          int points,
      @Field("the node of a cluster; null for the one that is asked") @Nullable String node) {
    /// A query has one text: in it, names are separated by commas.
    public Wanted {
      metrics = metrics.stream().flatMap(each -> Arrays.stream(each.split(",\\s*", -1))).toList();
    }
  }

  /// One series.
  public record Series(
      @Field("the name of the meter") String metric,
      @Field("the labels of the series") String labels,
      @Field(
              "value of what can fall, rate a second of what grows, or the percentile of lengths of"
                  + " time in seconds: p50, p99, p999")
          Measure measure,
      @Field(value = "the values, the oldest first", max = MOST_POINTS + 1) List<Value> points) {}

  /// A value at a time.
  public record Value(
      @Field("the beginning of the step") Instant time, @Field("the value") double value) {}

  /// A history.
  public record History(
      @Field("the length of a step") Duration step,
      @Field("the series, by the names of their meters") List<Series> series) {}

  /// `server.history`.
  public static final Operation<Wanted, History> HISTORY =
      Operation.read("server.history", Right.SERVER)
          .at(
              "GET /metrics/history",
              "Say how what is measured was in the last 30 days",
              Wanted.class,
              History.class);

  private static final Map<String, Meter> DECLARED =
      StandardMeters.ALL.stream()
          .collect(Collectors.toUnmodifiableMap(Meter::name, Function.identity()));

  private final MeterHistory history;
  private final KeptHistory kept;
  private final InstantSource clock;

  /// @param kept reads that of other nodes
  HistoryOperation(MeterHistory history, KeptHistory kept, InstantSource clock) {
    this.history = history;
    this.kept = kept;
    this.clock = clock;
  }

  /// The operation.
  Offer<?, ?> offer() {
    return HISTORY.by((_, wanted) -> find(wanted));
  }

  Outcome<History> find(Wanted wanted) {
    for (String metric : wanted.metrics()) {
      if (!MeterHistory.METERS.contains(metric)) {
        return Outcome.notFound("There is no history of " + metric + ".");
      }
    }
    String node = wanted.node();
    boolean elsewhere = node != null && !node.equals(kept.node());
    if (elsewhere && wanted.step() == Step.SECONDS) {
      return Outcome.invalid("step", "The seconds of another node are known there only.");
    }
    try {
      return Outcome.done(history(wanted, elsewhere && node != null ? node : null));
    } catch (StoreException e) {
      return new Outcome.Refused<>(
          Outcome.Reason.UNAVAILABLE, "The history cannot be read: " + e.getMessage(), null);
    }
  }

  /// @param elsewhere another node, or null
  private History history(Wanted wanted, @Nullable String elsewhere) {
    Instant now = clock.instant();
    Instant since = wanted.since() == null ? Instant.EPOCH : wanted.since();
    Instant until = wanted.until() == null ? now : wanted.until();
    int seconds = wanted.step().seconds();
    Instant oldest = now.minusSeconds((long) seconds * wanted.step().count());
    Instant from = since.isBefore(oldest) ? oldest : since;
    long steps = Math.max(1, Math.ceilDiv(Duration.between(from, until).toSeconds(), seconds));
    int width = Math.toIntExact(Math.ceilDiv(steps, wanted.points()));
    Map<MeterHistory.Key, List<Point>> found =
        elsewhere == null
            ? here(wanted, since, now)
            : kept.points(elsewhere, wanted.metrics(), wanted.step(), since);
    List<Series> all = new ArrayList<>();
    for (String metric : wanted.metrics()) {
      found.forEach((key, points) -> {
        if (key.meter().equals(metric)) {
          points.removeIf(each -> each.time().isAfter(until));
          all.add(
              new Series(
                  metric,
                  labels(metric, key.labels()),
                  key.measure(),
                  together(points, (long) width * seconds, key.measure().isPercentile())));
        }
      });
    }
    return new History(Duration.ofSeconds((long) width * seconds), all);
  }

  private Map<MeterHistory.Key, List<Point>> here(Wanted wanted, Instant since, Instant now) {
    Map<MeterHistory.Key, List<Point>> all = new LinkedHashMap<>();
    for (String metric : wanted.metrics()) {
      for (MeterHistory.Key key : history.keys(metric)) {
        all.put(key, new ArrayList<>(history.points(key, wanted.step(), since, now)));
      }
    }
    return all;
  }

  /// Points with longer steps: the mean, or the highest.
  static List<Value> together(List<Point> points, long seconds, boolean highest) {
    List<Value> all = new ArrayList<>();
    int from = 0;
    while (from < points.size()) {
      long step = Math.floorDiv(points.get(from).time().getEpochSecond(), seconds);
      int to = from;
      double sum = 0;
      double most = 0;
      while (to < points.size()
          && Math.floorDiv(points.get(to).time().getEpochSecond(), seconds) == step) {
        sum += points.get(to).value();
        most = Math.max(most, points.get(to).value());
        to++;
      }
      all.add(new Value(Instant.ofEpochSecond(step * seconds), highest ? most : sum / (to - from)));
      from = to;
    }
    return all;
  }

  private static String labels(String metric, List<String> values) {
    Meter meter = DECLARED.get(metric);
    StringJoiner text = new StringJoiner(",");
    List<Label> names = meter == null ? List.of() : meter.labels();
    for (int i = 0; i < Math.min(names.size(), values.size()); i++) {
      text.add(names.get(i).name() + "=\"" + values.get(i) + "\"");
    }
    return text.toString();
  }
}
