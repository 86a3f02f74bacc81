package im.zonda.console.page;

import im.zonda.console.view.Cell;
import im.zonda.console.view.Column;
import im.zonda.console.view.Frame;
import im.zonda.console.view.Link;
import im.zonda.console.view.Section;
import im.zonda.console.view.Table;
import im.zonda.console.view.Tone;
import im.zonda.http.HttpResponse;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The nodes of the cluster: what each does and has, how far a drain is, how fast they answer each
/// other, in which settings they differ, and which are gone.
///
/// @param pages what pages have in common
record ClusterPage(Pages pages) {
  private static final String NODES = "cluster.nodes";
  private static final String DRAIN = "cluster.drain";
  private static final String JOIN = "cluster.join";
  private static final String FORGET = "cluster.forget";
  private static final String RESTART = "server.restart";
  private static final String JOBS = "job.list";
  private static final String NODE = Operation.NODE;
  private static final int RENEWAL_SECONDS = 2;

  /// Answers a request.
  HttpResponse show(Desk desk) {
    Operation<?, ?> operation = desk.find(NODES);
    if (operation == null) {
      return pages.missing(desk);
    }
    if (!desk.may(operation)) {
      return pages.forbidden(desk, operation);
    }
    Outcome<?> outcome = desk.run(NODES, Map.of(NODE, Operation.ALL_NODES));
    Record result = Desk.result(outcome);
    if (result == null) {
      return outcome instanceof Outcome.Refused<?> refused
          ? pages.refused(desk, refused)
          : pages.missing(desk);
    }
    List<Map<?, ?>> nodes = Health.list(operation.result().data(result), "nodes");
    List<Outcome.Failure> failures =
        outcome instanceof Outcome.Partly<?>(var _, List<Outcome.Failure> some) ? some : List.of();
    List<Section> sections = new ArrayList<>();
    sections.add(Section.of("", members(desk, nodes, failures), "").with(links(desk)));
    List<Section> drains = drains(desk, nodes);
    sections.addAll(drains);
    sections.add(latency(desk, nodes));
    sections.addAll(differing(desk, nodes));
    Frame frame = pages.frame(desk, desk.text("page.cluster"), Places.CLUSTER);
    return pages.sections(
        200, drains.isEmpty() ? frame : frame.refreshing(RENEWAL_SECONDS), sections);
  }

  private static List<Link> links(Desk desk) {
    return Pages.actions(desk, List.of("cluster.status"), Map.of(), Places.CLUSTER);
  }

  private static Table members(Desk desk, List<Map<?, ?>> nodes, List<Outcome.Failure> failures) {
    List<Column> columns =
        List.of(
            new Column(desk.text("column.node"), false),
            new Column(desk.text("column.state"), false),
            new Column(desk.text("column.version"), false),
            new Column(desk.text("column.started"), false),
            new Column(desk.text("tile.sessions"), true),
            new Column(desk.text("column.segments"), true),
            new Column(desk.text("column.moving"), true),
            new Column(desk.text("tile.heap"), true));
    List<List<Cell>> rows = new ArrayList<>();
    List<List<Link>> actions = new ArrayList<>();
    for (Map<?, ?> each : nodes) {
      rows.add(row(desk, each));
      actions.add(actions(desk, each, nodes.size()));
    }
    for (Outcome.Failure each : failures) {
      rows.add(absent(each.subject(), desk.text("cluster.silent"), columns.size()));
      actions.add(List.of());
    }
    if (desk.may(ClusterHealth.MISSING)) {
      for (Map<?, ?> each : Health.list(desk.data(ClusterHealth.MISSING, Map.of()), "nodes")) {
        String name = Health.string(each, "name");
        rows.add(absent(name, desk.text("cluster.missing"), columns.size()));
        Link forget = Pages.action(desk, FORGET, Map.of("name", name), Places.CLUSTER);
        actions.add(forget == null ? List.of() : List.of(forget));
      }
    }
    boolean any = actions.stream().anyMatch(each -> !each.isEmpty());
    return new Table(columns, rows, any ? actions : List.of());
  }

  private static List<Cell> row(Desk desk, Map<?, ?> node) {
    String used = desk.values().size(Health.number(node, "heapUsed"));
    String most = desk.values().size(Health.number(node, "heapMax"));
    String state = Health.string(node, "state");
    return List.of(
        Cell.of(Health.string(node, NODE)),
        desk.values().cell(new Value.Text(state.length()), state),
        Cell.of(Health.string(node, "version")),
        desk.values().time(Instant.parse(Health.string(node, "started"))),
        number(desk, node, "online"),
        number(desk, node, "segments"),
        number(desk, node, "moving"),
        Cell.ofNumber(used + " " + desk.text("tile.of", most)));
  }

  private static Cell number(Desk desk, Map<?, ?> node, String name) {
    return Cell.ofNumber(desk.values().number(Health.number(node, name)));
  }

  /// The row of a node that says nothing.
  private static List<Cell> absent(String name, String why, int columns) {
    List<Cell> cells = new ArrayList<>();
    cells.add(Cell.of(name));
    cells.add(Cell.of(why).with(Tone.BAD));
    while (cells.size() < columns) {
      cells.add(Cell.of(""));
    }
    return cells;
  }

  private static List<Link> actions(Desk desk, Map<?, ?> node, int nodes) {
    String phase = Health.string(node, "drain");
    List<String> possible = new ArrayList<>();
    if (!phase.equals("none")) {
      possible.add(JOIN);
    } else if (nodes > 1) {
      possible.add(DRAIN);
    }
    possible.add(RESTART);
    return Pages.actions(desk, possible, Map.of(NODE, Health.string(node, NODE)), Places.CLUSTER);
  }

  /// How far nodes are drained that are not yet; empty if there are none.
  private static List<Section> drains(Desk desk, List<Map<?, ?>> nodes) {
    List<List<Cell>> rows = new ArrayList<>();
    Map<String, Map<?, ?>> jobs = jobs(desk);
    for (Map<?, ?> node : nodes) {
      String phase = Health.string(node, "drain");
      if (!phase.equals("homes") && !phase.equals("streams")) {
        continue;
      }
      String name = Health.string(node, NODE);
      Map<?, ?> job = jobs.get(name);
      Cell which = Cell.of(name);
      rows.add(
          List.of(
              job == null
                  ? which
                  : which.to(
                      Desk.url(
                          Places.DO + "job.show",
                          Map.of("job", Health.string(job, "id"), NODE, name))),
              Cell.of(desk.text("cluster.drain." + phase)).with(Tone.WARNING),
              Cell.ofNumber(
                  desk.values()
                      .number(Health.number(node, "segments") + Health.number(node, "moving"))),
              number(desk, node, "connections"),
              number(desk, node, "forwarded")));
    }
    if (rows.isEmpty()) {
      return List.of();
    }
    return List.of(
        Section.of(
            desk.text("cluster.draining"),
            new Table(
                List.of(
                    new Column(desk.text("column.node"), false),
                    new Column(desk.text("column.state"), false),
                    new Column(desk.text("column.segments"), true),
                    new Column(desk.text("column.connections"), true),
                    new Column(desk.text("column.forwarded"), true)),
                rows),
            ""));
  }

  /// The drains that run, by their nodes.
  private static Map<String, Map<?, ?>> jobs(Desk desk) {
    Map<String, Map<?, ?>> jobs = new LinkedHashMap<>();
    if (desk.may(JOBS)) {
      for (Map<?, ?> each : Health.list(desk.data(JOBS, Map.of()), "jobs")) {
        if (Health.string(each, "operation").equals(DRAIN)) {
          jobs.putIfAbsent(Health.string(each, NODE), each);
        }
      }
    }
    return jobs;
  }

  /// How fast each node answers each other one.
  private static Section latency(Desk desk, List<Map<?, ?>> nodes) {
    List<Map<?, ?>> pairs =
        desk.may(ClusterHealth.LATENCY)
            ? Health.list(desk.data(ClusterHealth.LATENCY, Map.of()), "pairs")
            : List.of();
    TreeSet<String> names = new TreeSet<>();
    nodes.forEach(each -> names.add(Health.string(each, NODE)));
    pairs.forEach(each -> names.add(Health.string(each, "to")));
    Map<String, Map<?, ?>> byPair = new LinkedHashMap<>();
    pairs.forEach(
        each -> byPair.put(key(Health.string(each, NODE), Health.string(each, "to")), each));
    List<Column> columns = new ArrayList<>();
    columns.add(new Column(desk.text("column.from"), false));
    names.forEach(each -> columns.add(new Column(each, true)));
    List<List<Cell>> rows = new ArrayList<>();
    for (String from : names) {
      List<Cell> row = new ArrayList<>();
      row.add(Cell.of(from));
      names.forEach(to -> row.add(trip(desk, byPair.get(key(from, to)))));
      rows.add(row);
    }
    return Section.of(desk.text("cluster.latency"), new Table(columns, rows), "");
  }

  private static String key(String from, String to) {
    return from + "\n" + to;
  }

  private static Cell trip(Desk desk, @Nullable Map<?, ?> pair) {
    if (pair == null) {
      return Cell.ofNumber("–");
    }
    boolean slow = ClusterHealth.isSlow(pair);
    if (pair.get("median") == null) {
      return Cell.ofNumber(desk.text("cluster.latency.none")).with(slow ? Tone.BAD : Tone.PLAIN);
    }
    Value decimal = new Value.Decimal();
    String text =
        desk.text(
            "cluster.latency.cell",
            desk.values().cell(decimal, pair.get("median")).text(),
            desk.values().cell(decimal, pair.get("longest")).text());
    return Cell.ofNumber(text).with(slow ? Tone.WARNING : Tone.GOOD);
  }

  /// In which settings nodes differ.
  private static List<Section> differing(Desk desk, List<Map<?, ?>> nodes) {
    TreeSet<String> settings = new TreeSet<>();
    for (Map<?, ?> each : nodes) {
      if (each.get("differing") instanceof List<?> some) {
        some.forEach(one -> settings.add(String.valueOf(one)));
      }
    }
    if (settings.isEmpty()) {
      return List.of();
    }
    List<Link> links = new ArrayList<>();
    if (desk.may("config.show")) {
      for (Map<?, ?> each : nodes) {
        String name = Health.string(each, NODE);
        links.add(Link.to(name, Desk.url(Places.FOLDER + "configuration", Map.of(NODE, name))));
      }
    }
    return List.of(
        Section.note(
                desk.text("cluster.differing"),
                desk.text("cluster.differing.note", String.join(", ", settings)))
            .with(links));
  }
}
