package im.zonda.console.plugin;

import im.zonda.console.page.ConsolePages;
import im.zonda.console.page.Desk;
import im.zonda.console.page.Pages;
import im.zonda.console.page.Places;
import im.zonda.console.view.Cell;
import im.zonda.console.view.Column;
import im.zonda.console.view.Fact;
import im.zonda.console.view.Link;
import im.zonda.console.view.Section;
import im.zonda.console.view.Table;
import im.zonda.http.HttpResponse;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Shape;
import im.zonda.operation.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The page of one plugin: what it is and may do, how it does, its settings, and what can be done
/// with it.
///
/// @param pages what pages have in common
record PluginPage(Pages pages) implements ConsolePages.FormPage {
  /// The component that names it.
  static final String PLUGIN = "plugin";

  /// The list of plugins.
  static final String LIST = Places.FOLDER + "plugins";

  private static final String SHOW = "plugin.show";
  private static final List<String> ABOUT = List.of("title", "version", "state", "reason");
  private static final List<String> JAR = List.of("sha256", "size", "added", "by");
  private static final List<String> DOING =
      List.of(
          "calls",
          "failed",
          "late",
          "skipped",
          "meanTime",
          "share",
          "waiting",
          "lostEvents",
          "fault",
          "faultAt");
  private static final List<String> SETTING = List.of("name", "value", "doc", "takes");

  /// A record of a result with its components.
  private record Shown(Shape shape, Record record) {
    @Nullable Object get(String name) {
      return shape.component(name) == null ? null : shape.get(record, name);
    }

    List<Fact> facts(Desk desk, List<String> names) {
      List<Fact> facts = new ArrayList<>();
      for (String name : names) {
        Shape.Component component = shape.component(name);
        Object value = get(name);
        if (component != null && value != null) {
          facts.add(
              new Fact(
                  desk.values().label(component), desk.values().cell(component.value(), value)));
        }
      }
      return facts;
    }
  }

  @Override
  public HttpResponse answer(Desk desk, boolean posted) {
    Operation<?, ?> show = desk.find(SHOW);
    String name = desk.query(PLUGIN);
    if (show == null || name.isEmpty() || posted) {
      return pages.missing(desk);
    }
    if (!desk.may(show)) {
      return pages.forbidden(desk, show);
    }
    return switch (desk.run(SHOW, Map.of(PLUGIN, name))) {
      case Outcome.Done<?>(Record result) -> page(desk, name, new Shown(show.result(), result));
      case Outcome.Refused<?> refused -> pages.refused(desk, refused);
      case Outcome.Partly<?> _, Outcome.Started<?> _, Outcome.Following<?> _ -> pages.missing(desk);
    };
  }

  private HttpResponse page(Desk desk, String name, Shown shown) {
    Shown row = row(shown);
    String here = Desk.url(Places.PLUGIN, Map.of(PLUGIN, name));
    List<Section> sections = new ArrayList<>();
    sections.add(Section.of("", about(desk, shown, row)).with(actions(desk, name, row, here)));
    if (runs(shown)) {
      sections.add(Section.of(desk.text("plugin.doing"), row.facts(desk, DOING)));
    }
    sections.add(settings(desk, name, shown, here));
    return pages.sections(200, pages.frame(desk, name, LIST), sections);
  }

  private static Shown row(Shown shown) {
    Shape.Component component = Objects.requireNonNull(shown.shape().component(PLUGIN));
    Record row = (Record) Objects.requireNonNull(shown.get(PLUGIN));
    return component.value() instanceof Value.Group(Shape shape) ? new Shown(shape, row) : shown;
  }

  /// What is in its manifest is known while it runs.
  private static boolean runs(Shown shown) {
    return shown.get("api") != null;
  }

  private static List<Fact> about(Desk desk, Shown shown, Shown row) {
    List<Fact> facts = new ArrayList<>(row.facts(desk, ABOUT));
    facts.addAll(row.facts(desk, List.of("skippedUntil")));
    if (runs(shown)) {
      facts.add(new Fact(desk.text("plugin.may"), Cell.of(ports(desk, row))));
      facts.addAll(row.facts(desk, List.of("hosts")));
      boolean inline = Boolean.TRUE.equals(shown.get("inline"));
      facts.add(
          new Fact(
              desk.text("plugin.calls"),
              Cell.of(desk.text(inline ? "plugin.calls.inline" : "plugin.calls.own"))));
      facts.add(new Fact(desk.text("plugin.limit"), Cell.of(shown.get("timeLimit") + " ms")));
      facts.addAll(shown.facts(desk, List.of("api")));
    }
    facts.addAll(row.facts(desk, JAR));
    return facts;
  }

  /// What it may do, in words; a later port that has none as it is.
  private static String ports(Desk desk, Shown row) {
    List<?> ports = row.get("ports") instanceof List<?> found ? found : List.of();
    return ports.isEmpty()
        ? desk.text("plugin.may.nothing")
        : ports.stream()
            .map(port -> {
              String key = "plugin.port." + port;
              return desk.visit().language().has(key) ? desk.text(key) : port.toString();
            })
            .collect(Collectors.joining(", "));
  }

  /// Nobody switches on what runs.
  private static List<Link> actions(Desk desk, String name, Shown row, String here) {
    String state = Objects.toString(row.get("state"), "");
    boolean on = state.equals("RUNNING") || state.equals("SKIPPED");
    List<Link> links = new ArrayList<>();
    links.addAll(
        Pages.actions(
            desk, List.of(on ? "plugin.disable" : "plugin.enable"), Map.of(PLUGIN, name), here));
    if (desk.may("plugin.add")) {
      links.add(Link.to(desk.text("plugin.another"), Places.PLUGIN_ADD));
    }
    links.addAll(Pages.actions(desk, List.of("plugin.remove"), Map.of(PLUGIN, name), LIST));
    return links;
  }

  /// A value that is the default says so.
  private static Cell cell(Desk desk, Shown setting, String column) {
    String text = Objects.toString(setting.get(column), "");
    boolean usual = column.equals("value") && Boolean.FALSE.equals(setting.get("configured"));
    return Cell.of(usual ? text + " (" + desk.text("setting.default") + ")" : text);
  }

  private static Section settings(Desk desk, String name, Shown shown, String here) {
    String title = desk.text("plugin.settings");
    if (!runs(shown)) {
      return Section.note(title, desk.text("plugin.settings.stopped"));
    }
    Shape.Component list = Objects.requireNonNull(shown.shape().component("settings"));
    List<Column> columns = new ArrayList<>();
    List<List<Cell>> rows = new ArrayList<>();
    List<List<Link>> actions = new ArrayList<>();
    if (list.value() instanceof Value.Many(Value each, int _)
        && each instanceof Value.Group(Shape shape)) {
      SETTING.forEach(column ->
          columns.add(
              new Column(
                  desk.values().label(Objects.requireNonNull(shape.component(column))), false)));
      for (Object element : (List<?>) Objects.requireNonNull(shown.get("settings"))) {
        Shown setting = new Shown(shape, (Record) Objects.requireNonNull(element));
        rows.add(SETTING.stream().map(column -> cell(desk, setting, column)).toList());
        Link change =
            Pages.action(
                desk,
                "config.set",
                Map.of("key", "plugin." + name + "." + setting.get("name")),
                here);
        actions.add(change == null ? List.of() : List.of(change));
      }
    }
    boolean any = actions.stream().anyMatch(each -> !each.isEmpty());
    return Section.of(
        title,
        new Table(columns, rows, any ? actions : List.of()),
        desk.text("plugin.settings.none"));
  }
}
