package im.zonda.console.chart;

import im.zonda.console.chart.ChartDefinition.Line;
import im.zonda.console.view.Sparkline;
import im.zonda.operation.Operation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Small charts of the figures of the overview, of the last 12 minutes.
///
/// @param steps null if the reader may not see them, or there are none
public record Trends(@Nullable Steps steps) {
  private static final Line PEOPLE = Charts.PEOPLE.lines().getFirst();
  private static final Line STANZAS = Charts.STANZAS.lines().getFirst();
  private static final Line DELIVERY = Charts.INSIDE.lines().get(1);

  private record Trend(String figure, Line line, Unit unit) {}

  private static final List<Trend> ALL =
      List.of(
          new Trend("people", PEOPLE, Unit.COUNT),
          new Trend(
              "sessions", new Line("zonda_sessions", "state=\"online\"", "value", ""), Unit.COUNT),
          new Trend("stanzas", STANZAS, Unit.RATE),
          new Trend("delivery", DELIVERY, Unit.SECONDS),
          new Trend("commits", Charts.COMMITS.lines().getFirst(), Unit.RATE),
          new Trend("queued", Charts.LOG_QUEUE.lines().getFirst(), Unit.BYTES),
          new Trend(
              "heap", new Line("jvm_memory_used_bytes", "area=\"heap\"", "value", ""), Unit.BYTES));

  /// Reads them.
  public static Trends read(Inquiry inquiry) {
    List<String> metrics = ALL.stream().map(each -> each.line.metric()).toList();
    return new Trends(
        inquiry.may(History.OPERATION) ? History.read(inquiry, Range.MINUTES, "", metrics) : null);
  }

  /// The page where more is known; empty if the reader may not see it.
  public String link() {
    return steps == null ? "" : "/admin/load";
  }

  /// Figures that have no other source, by their names.
  public Map<String, String> figures(Inquiry inquiry) {
    Map<String, String> figures = new LinkedHashMap<>();
    if (steps != null) {
      figures.put("stanzas", text(inquiry, Unit.RATE, Steps.last(steps.of(STANZAS))));
      figures.put("delivery", text(inquiry, Unit.SECONDS, Steps.last(steps.of(DELIVERY))));
    }
    return figures;
  }

  private static String text(Inquiry inquiry, Unit unit, double value) {
    return Double.isNaN(value) || (value == 0 && unit == Unit.SECONDS)
        ? "–"
        : unit.inSentence(inquiry.values(), value);
  }

  /// How a figure was; null if that is not known.
  public @Nullable Sparkline of(String figure) {
    for (Trend each : ALL) {
      if (each.figure.equals(figure) && steps != null) {
        return Sparklines.of(steps.of(each.line), each.unit);
      }
    }
    return null;
  }

  /// How many people of a host were online.
  public Sparkline ofHost(String host) {
    return steps == null
        ? Sparkline.NONE
        : Sparklines.of(
            steps.of(new Line(PEOPLE.metric(), Operation.HOST + "=\"" + host + "\"", "value", "")),
            Unit.COUNT);
  }

  /// What changes in the page as time goes by, by the names of the places.
  public Map<String, String> places() {
    Map<String, String> places = new LinkedHashMap<>();
    for (Trend each : ALL) {
      Sparkline spark =
          steps == null ? Sparkline.NONE : Sparklines.of(steps.of(each.line), each.unit);
      places.put("spark." + each.figure + ".line@d", spark.line());
      places.put("spark." + each.figure + ".area@d", spark.area());
    }
    return places;
  }
}
