package im.zonda.console.page;

import im.zonda.console.chart.Trends;
import im.zonda.console.view.Cell;
import im.zonda.console.view.Column;
import im.zonda.console.view.Frame;
import im.zonda.console.view.Link;
import im.zonda.console.view.Section;
import im.zonda.console.view.Table;
import im.zonda.console.view.Tile;
import im.zonda.console.view.Tone;
import im.zonda.http.HttpResponse;
import im.zonda.operation.Operation;
import im.zonda.operation.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The first page: whether all is well, as a sentence, and a few figures.
///
/// @param pages what pages have in common
/// @param rounds what was found by an examination
record OverviewPage(Pages pages, DoctorRounds rounds) {
  /// Answers a request.
  ///
  /// @param hint a sentence about steps that are open; empty for none
  HttpResponse show(Desk desk, String hint) {
    Frame frame = pages.frame(desk, desk.text("page.overview"), Places.FOLDER);
    ServerState state = ServerState.of(desk);
    if (state == null) {
      return ofHosts(desk, frame);
    }
    Map<String, @Nullable Object> status = state.status();
    List<Health.Finding> findings = new Health(desk, rounds).findings(state);
    Trends trends = Trends.read(desk);
    return page(
        frame,
        Health.sentence(desk, findings, status),
        findings.isEmpty() ? Tone.GOOD : findings.getFirst().tone(),
        findings(desk, findings, hint),
        tiles(desk, status, trends),
        List.of(hosts(desk, status, trends)),
        true);
  }

  private HttpResponse page(
      Frame frame,
      String sentence,
      Tone tone,
      List<Section> findings,
      List<Tile> tiles,
      List<Section> sections,
      boolean live) {
    return pages
        .templates()
        .page(
            200,
            "overview",
            frame,
            Map.of(
                "sentence", sentence,
                "tone", tone,
                "findings", findings,
                "tiles", tiles,
                "sections", sections,
                "live", live));
  }

  /// Those who administer hosts see their hosts.
  private HttpResponse ofHosts(Desk desk, Frame frame) {
    List<Tile> tiles = new ArrayList<>();
    for (String host : desk.hosts()) {
      Map<String, @Nullable Object> count =
          desk.may("account.count")
              ? desk.data("account.count", Map.of(Operation.HOST, host))
              : null;
      if (count != null) {
        for (Map.Entry<String, @Nullable Object> each : count.entrySet()) {
          if (each.getValue() instanceof Number number) {
            tiles.add(
                new Tile(
                    "",
                    host,
                    desk.values().number(number.longValue()),
                    desk.text("tile.accounts"),
                    Desk.url(Places.FOLDER + "people", Map.of(Operation.HOST, host))));
          }
        }
      }
    }
    String sentence =
        desk.visit().caller().grant().hosts() == null
            ? desk.text("overview.limited")
            : desk.text("overview.hosts", String.join(", ", desk.hosts()));
    return page(frame, sentence, Tone.PLAIN, List.of(), tiles, List.of(), false);
  }

  /// The figures, by the names under which they are renewed.
  static Map<String, String> figures(
      Desk desk, Map<String, @Nullable Object> status, Trends trends) {
    Map<?, ?> sessions = Health.member(status, "sessions");
    Map<?, ?> log = Health.member(status, "log");
    Map<?, ?> memory = Health.member(status, "memory");
    Map<String, String> figures = new LinkedHashMap<>();
    figures.put("people", desk.values().number(Health.people(status)));
    figures.put("sessions", desk.values().number(Health.number(sessions, "online")));
    trends.figures(desk).forEach(figures::put);
    figures.put(
        "commits", desk.values().cell(new Value.Decimal(), log.get("commitsPerSecond")).text());
    figures.put("queued", desk.values().size(Health.number(log, "queuedBytes")));
    figures.put("heap", desk.values().size(Health.number(memory, "heapUsedBytes")));
    figures.put("uptime", desk.values().span(Health.number(status, "uptimeSeconds")));
    return figures;
  }

  private static List<Tile> tiles(Desk desk, Map<String, @Nullable Object> status, Trends trends) {
    Map<String, String> figures = figures(desk, status, trends);
    Map<?, ?> sessions = Health.member(status, "sessions");
    Map<?, ?> memory = Health.member(status, "memory");
    Map<?, ?> disk = Health.member(status, "disk");
    Map<?, ?> cluster = Health.member(status, "cluster");
    List<Tile> tiles = new ArrayList<>();
    figures.forEach((name, value) -> {
      String note =
          switch (name) {
            case "sessions" ->
                desk.text(
                    "tile.detached", desk.values().number(Health.number(sessions, "detached")));
            case "heap" ->
                desk.text("tile.of", desk.values().size(Health.number(memory, "heapMaxBytes")));
            case "uptime" -> Health.string(status, "version");
            case "delivery" -> desk.text("tile.delivery.note");
            default -> "";
          };
      String link =
          switch (name) {
            case "people", "sessions" -> Places.FOLDER + name;
            case "uptime" -> "";
            default -> trends.link();
          };
      tiles.add(new Tile(name, desk.text("tile." + name), value, note, link, trends.of(name)));
    });
    if (!disk.isEmpty()) {
      tiles.add(
          new Tile(
              "",
              desk.text("tile.disk"),
              desk.values().size(Health.number(disk, "freeBytes")),
              desk.text("tile.of", desk.values().size(Health.number(disk, "bytes"))),
              ""));
    }
    if (!cluster.isEmpty()) {
      tiles.add(
          new Tile(
              "",
              desk.text("tile.nodes"),
              desk.values().number(Health.number(cluster, "members")),
              Health.string(cluster, "state"),
              Places.FOLDER + "cluster"));
    }
    return tiles;
  }

  private static List<Section> findings(Desk desk, List<Health.Finding> findings, String hint) {
    List<Section> sections = new ArrayList<>();
    if (!findings.isEmpty()) {
      sections.add(
          Section.of(
              desk.text("overview.findings"),
              new Table(
                  List.of(new Column(desk.text("column.finding"), false)),
                  findings.stream().map(each -> List.of(each.cell())).toList()),
              ""));
    }
    if (!hint.isEmpty()) {
      sections.add(
          Section.note(desk.text("page.start"), hint)
              .with(List.of(Link.to(desk.text("start.go-on"), Places.START))));
    }
    return sections;
  }

  private static Section hosts(Desk desk, Map<String, @Nullable Object> status, Trends trends) {
    List<List<Cell>> hosts = new ArrayList<>();
    for (Map<?, ?> each : Health.list(status, "hosts")) {
      String host = Health.string(each, "host");
      Object ends = each.get("certificateEnds");
      hosts.add(
          List.of(
              Cell.link(host, Desk.url(Places.FOLDER + "people", Map.of(Operation.HOST, host))),
              Cell.ofNumber(desk.values().number(Health.number(each, "online"))),
              Cell.of(trends.ofHost(host)),
              ends == null ? Cell.of("") : desk.values().time(Instant.parse(ends.toString()))));
    }
    return Section.of(
        desk.text("page.hosts"),
        new Table(
            List.of(
                new Column(desk.text("column.host"), false),
                new Column(desk.text("tile.people"), true),
                new Column(desk.text("column.lately"), false),
                new Column(desk.text("column.certificate-ends"), false)),
            hosts),
        "");
  }
}
