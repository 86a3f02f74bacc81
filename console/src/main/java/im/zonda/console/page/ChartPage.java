package im.zonda.console.page;

import im.zonda.console.chart.Chart;
import im.zonda.console.chart.ChartDefinition;
import im.zonda.console.chart.Charts;
import im.zonda.console.chart.History;
import im.zonda.console.chart.Range;
import im.zonda.console.chart.Shown;
import im.zonda.console.chart.Steps;
import im.zonda.console.chart.Topic;
import im.zonda.console.view.Link;
import im.zonda.console.view.Section;
import im.zonda.http.HttpResponse;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A page with charts, and what belongs to them.
///
/// @param pages what pages have in common
/// @param topic the subject of the page
record ChartPage(Pages pages, Topic topic) {
  /// The parameter with the range of time.
  static final String RANGE = "range";

  private static final String TABLE = "table";

  /// The address of the page.
  String path() {
    return Places.FOLDER + topic.word();
  }

  /// Answers a request.
  HttpResponse show(Desk desk) {
    Operation<?, ?> operation = desk.find(History.OPERATION);
    if (operation == null) {
      return pages.missing(desk);
    }
    if (!desk.may(operation)) {
      return pages.forbidden(desk, operation);
    }
    Range range = range(desk);
    Outcome<?> outcome =
        desk.run(
            History.OPERATION,
            History.wanted(desk, range, desk.query(History.NODE), topic.metrics()));
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
    return desk.query(History.NODE).isEmpty();
  }

  private static Range range(Desk desk) {
    return Range.find(desk.query(RANGE), here(desk));
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
    Topic.Saying saying = topic.saying(desk, steps);
    Shown shown =
        new Shown(
            saying.text(),
            saying.tone(),
            here(desk) ? url(Places.LIVE_CHARTS, desk, steps.range(), "page", topic.word()) : "",
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
            Map.of("shown", shown, "sections", sections(desk, steps)));
  }

  private List<Section> sections(Desk desk, Steps steps) {
    List<Section> sections = new ArrayList<>(topic.sections(desk, steps));
    for (Topic.Listed each : topic.lists()) {
      Operation<?, ?> operation = desk.find(each.operation());
      Shape.Component component =
          operation == null || !desk.may(operation)
              ? null
              : operation.result().component(each.list());
      if (operation != null
          && component != null
          && desk.run(each.operation(), Map.of()) instanceof Outcome.Done<?>(Record result)) {
        ResultView view = new ResultView(desk.values(), desk.text(each.text() + ".none"));
        Object value = operation.result().get(result, each.list());
        sections.add(
            Section.of(
                desk.text(each.text()),
                view.table(component, value, ResultView.Choice.ALL),
                view.empty()));
      }
    }
    List<Link> actions = Pages.actions(desk, topic.actions(), Map.of(), path());
    if (!actions.isEmpty()) {
      sections.add(Section.note("", "").with(actions));
    }
    return sections;
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
        String node = Objects.toString(each.get("name"), Health.string(each, History.NODE));
        choices.add(
            new Shown.Choice(
                node,
                Desk.url(path(), Map.of(History.NODE, node)),
                node.equals(desk.query(History.NODE))));
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
    parameters.put(History.NODE, desk.query(History.NODE));
    if (!name.isEmpty()) {
      parameters.put(name, value);
    }
    return Desk.url(path, parameters);
  }

  /// What is new on the page, by the names of the places; null if it may not be seen.
  @Nullable Map<String, String> places(Desk desk) {
    Steps steps =
        desk.may(History.OPERATION)
            ? History.read(desk, range(desk), desk.query(History.NODE), topic.metrics())
            : null;
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
