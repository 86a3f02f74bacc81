package im.zonda.console.page;

import im.zonda.console.chart.Chart;
import im.zonda.console.chart.ChartDefinition;
import im.zonda.console.chart.Charts;
import im.zonda.console.chart.Range;
import im.zonda.console.chart.Shown;
import im.zonda.console.chart.Steps;
import im.zonda.console.view.Link;
import im.zonda.console.view.Section;
import im.zonda.console.view.Tone;
import im.zonda.http.HttpResponse;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A page with charts, and what belongs to them.
///
/// @param pages what pages have in common
/// @param topic what it is about
record ChartPage(Pages pages, Topic topic) {
  /// The operation that has the history.
  static final String HISTORY = "server.history";

  /// The parameter with the range of time.
  static final String RANGE = "range";

  private static final String NODE = "node";
  private static final String TABLE = "table";

  /// What a page is about.
  interface Topic {
    /// Its word in the address and in texts.
    String word();

    /// Its charts.
    List<Charts.Group> groups();

    /// The meters that it needs.
    default List<String> metrics() {
      return Charts.metrics(groups());
    }

    /// What is most important.
    Saying saying(Desk desk, Steps steps);

    /// What is there besides the charts.
    default List<Section> sections(Desk desk, Steps steps) {
      return List.of();
    }
  }

  /// A sentence and its meaning.
  record Saying(Tone tone, String text) {}

  /// The address of the page.
  String path() {
    return Places.FOLDER + topic.word();
  }

  /// Answers a request.
  HttpResponse show(Desk desk) {
    Operation<?, ?> operation = desk.find(HISTORY);
    if (operation == null) {
      return pages.missing(desk);
    }
    if (!desk.may(operation)) {
      return pages.forbidden(desk, operation);
    }
    Range range = range(desk);
    Outcome<?> outcome = desk.run(HISTORY, wanted(desk, range, topic.metrics()));
    if (outcome instanceof Outcome.Refused<?> refused) {
      return pages.refused(desk, refused);
    }
    if (!(outcome instanceof Outcome.Done<?>(Record result))) {
      return pages.missing(desk);
    }
    Steps steps = Steps.read(operation.result().data(result), range, desk.values().now());
    ChartDefinition asTable = find(desk.query(TABLE));
    return asTable == null ? charts(desk, steps) : table(desk, steps, asTable);
  }

  /// Whether the history of this node is asked for.
  private static boolean here(Desk desk) {
    return desk.query(NODE).isEmpty();
  }

  private static Range range(Desk desk) {
    return Range.find(desk.query(RANGE), here(desk));
  }

  /// The input of [#HISTORY].
  private static Map<String, Object> wanted(Desk desk, Range range, List<String> metrics) {
    Map<String, Object> input = new LinkedHashMap<>();
    input.put("metrics", metrics);
    input.put("step", range.stored());
    input.put("since", desk.values().now().minus(range.length()).toString());
    input.put("points", String.valueOf(range.steps()));
    if (!here(desk)) {
      input.put(NODE, desk.query(NODE));
    }
    return input;
  }

  /// What was measured in a range; null if it may not be seen.
  static @Nullable Steps steps(Desk desk, Range range, List<String> metrics) {
    Map<String, @Nullable Object> data = desk.data(HISTORY, wanted(desk, range, metrics));
    return data == null ? null : Steps.read(data, range, desk.values().now());
  }

  private @Nullable ChartDefinition find(String name) {
    for (Charts.Group group : topic.groups()) {
      for (ChartDefinition each : group.charts()) {
        if (each.name().equals(name)) {
          return each;
        }
      }
    }
    return null;
  }

  private HttpResponse charts(Desk desk, Steps steps) {
    Saying saying = topic.saying(desk, steps);
    Shown shown =
        new Shown(
            saying.text(),
            saying.tone(),
            here(desk) ? url(LivePages.CHARTS, desk, steps.range(), "page", topic.word()) : "",
            ranges(desk, steps.range()),
            nodes(desk),
            begin(desk, steps.range()),
            groups(desk, steps));
    return pages
        .templates()
        .page(
            200,
            "charts",
            pages.frame(desk, desk.text("page." + topic.word()), path()),
            Map.of("shown", shown, "sections", topic.sections(desk, steps)));
  }

  private HttpResponse table(Desk desk, Steps steps, ChartDefinition chart) {
    String back = url(path(), desk, steps.range(), "", "") + "#chart-" + chart.name();
    return pages.sections(
        200,
        pages.frame(desk, Chart.of(chart, steps, desk.values()).title(), path()),
        List.of(
            Section.of(
                    desk.text("range." + steps.range().word()),
                    Chart.table(chart, steps, desk.values(), desk.text("chart.time")),
                    desk.text("chart.nothing"))
                .with(List.of(Link.to(desk.text("chart.back"), back)))));
  }

  private List<Shown.Group> groups(Desk desk, Steps steps) {
    List<Shown.Group> groups = new ArrayList<>();
    for (Charts.Group group : topic.groups()) {
      List<Shown.Place> charts = new ArrayList<>();
      for (ChartDefinition each : group.charts()) {
        if (each.lines().stream().anyMatch(steps::has)) {
          charts.add(
              new Shown.Place(
                  Chart.of(each, steps, desk.values()),
                  url(path(), desk, steps.range(), TABLE, each.name())));
        }
      }
      if (!charts.isEmpty()) {
        groups.add(new Shown.Group(desk.text(group.text()), charts));
      }
    }
    return groups;
  }

  private List<Shown.Choice> ranges(Desk desk, Range current) {
    return Range.of(here(desk)).stream()
        .map(each ->
            new Shown.Choice(
                desk.text("range." + each.word()),
                url(path(), desk, each, "", ""),
                each == current))
        .toList();
  }

  /// The nodes of the cluster; none without one.
  private List<Shown.Choice> nodes(Desk desk) {
    List<Shown.Choice> choices = new ArrayList<>();
    if (desk.may("cluster.members")) {
      for (Map<?, ?> each : Health.list(desk.data("cluster.members", Map.of()), "members")) {
        String node = Objects.toString(each.get("name"), Health.string(each, NODE));
        choices.add(
            new Shown.Choice(
                node, Desk.url(path(), Map.of(NODE, node)), node.equals(desk.query(NODE))));
      }
    }
    return choices;
  }

  private static String begin(Desk desk, Range range) {
    return switch (range) {
      case MINUTES -> desk.text("time.ago.minutes", "12");
      case HOURS -> desk.text("time.ago.hours", "3");
      case DAY -> desk.text("time.ago.hours", "24");
      case MONTH -> desk.text("time.ago.days", "30");
    };
  }

  private static String url(String path, Desk desk, Range range, String name, String value) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put(RANGE, range.word());
    parameters.put(NODE, desk.query(NODE));
    if (!name.isEmpty()) {
      parameters.put(name, value);
    }
    return Desk.url(path, parameters);
  }

  /// What is new on the page, by the names of the places; null if it may not be seen.
  @Nullable Map<String, String> places(Desk desk) {
    Steps steps = desk.may(HISTORY) ? steps(desk, range(desk), topic.metrics()) : null;
    if (steps == null) {
      return null;
    }
    Map<String, String> places = new LinkedHashMap<>();
    places.put("sentence", topic.saying(desk, steps).text());
    for (Charts.Group group : topic.groups()) {
      for (ChartDefinition each : group.charts()) {
        places.putAll(Chart.of(each, steps, desk.values()).places());
      }
    }
    return places;
  }
}
