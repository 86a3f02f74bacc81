package im.zonda.console.guide;

import im.zonda.console.page.Desk;
import im.zonda.console.page.Health;
import im.zonda.console.page.Pages;
import im.zonda.console.page.Places;
import im.zonda.console.view.Cell;
import im.zonda.console.view.Column;
import im.zonda.console.view.Fact;
import im.zonda.console.view.Link;
import im.zonda.console.view.Section;
import im.zonda.console.view.Table;
import im.zonda.console.view.Tone;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Sections of the first steps, which show the state of the server.
///
/// @param desk who reads it
/// @param state what is known of the server
record StartSections(Desk desk, StartState state) {
  /// Those of a step.
  List<Section> of(StartStep step) {
    return switch (step) {
      case DOMAIN -> List.of(hosts());
      case NETWORK -> List.of(listeners());
      case DNS -> dns();
      case CERTIFICATE -> certificate();
      case REACH -> reach();
      case PEOPLE -> people();
    };
  }

  private Column column(String word) {
    return new Column(desk.text("column." + word), false);
  }

  private Section hosts() {
    List<List<Cell>> rows = new ArrayList<>();
    state
        .hosts()
        .forEach((host, accounts) ->
            rows.add(List.of(Cell.of(host), Cell.ofNumber(desk.values().number(accounts)))));
    Column accounts = new Column(desk.text("column.accounts"), true);
    return Section.of("", new Table(List.of(column("host"), accounts), rows), "");
  }

  private Section listeners() {
    List<List<Cell>> rows = new ArrayList<>();
    for (Map<?, ?> each : state.ports()) {
      String address = Health.string(each, "address");
      boolean local = StartState.isLoopback(address);
      rows.add(
          List.of(
              Cell.of(Health.string(each, "key")),
              Cell.of(address),
              Cell.of(desk.text(local ? "start.only-here" : "start.everywhere"))
                  .with(local ? Tone.PLAIN : Tone.GOOD)));
    }
    return Section.of(
        "",
        new Table(List.of(column("key"), column("address"), column("reached")), rows),
        desk.text("empty.list"));
  }

  private Link again(StartStep step, String key) {
    return Link.to(
        desk.text(key),
        Desk.url(
            Places.START,
            values(
                StartStep.PARAMETER, step.word(), "host", state.host(), StartPage.CHECK, "now")));
  }

  private static Map<String, String> values(String... pairs) {
    Map<String, String> all = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      all.put(pairs[i], pairs[i + 1]);
    }
    return all;
  }

  private List<Section> dns() {
    if (state.isLocal()) {
      return List.of(Section.note("", desk.text("start.local")));
    }
    Map<String, @Nullable Object> found = state.dns();
    if (found == null) {
      return List.of(
          Section.note("", desk.text("start.dns.unchecked"))
              .with(List.of(again(StartStep.DNS, "start.check"))));
    }
    List<List<Cell>> rows = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    for (Map<?, ?> each : Health.list(found, "records")) {
      String how = Health.string(each, "state");
      rows.add(
          List.of(
              Cell.of(desk.text("start.record." + how)).with(tone(how)),
              Cell.of(Health.string(each, "type")),
              Cell.of(Health.string(each, "name")),
              Cell.of(joined(each, "found")),
              Cell.of(Health.string(each, "text"))));
      boolean record = !Health.string(each, "type").equals("host-meta");
      if (record && !how.equals("ok") && each.get("lines") instanceof List<?> wanted) {
        wanted.forEach(line -> lines.add(line.toString()));
      }
    }
    List<Column> columns =
        List.of(column("state"), column("type"), column("name"), column("found"), column("text"));
    List<Section> sections = new ArrayList<>();
    sections.add(
        Section.of("", new Table(columns, rows), "")
            .with(List.of(again(StartStep.DNS, "start.check.again"))));
    if (!lines.isEmpty()) {
      sections.add(
          Section.text(desk.text("start.dns.lines", state.host()), String.join("\n", lines)));
    }
    return sections;
  }

  private static Tone tone(String state) {
    return switch (state) {
      case "ok" -> Tone.GOOD;
      case "missing", "problem" -> Tone.BAD;
      case "different", "warning" -> Tone.WARNING;
      default -> Tone.PLAIN;
    };
  }

  private static String joined(Map<?, ?> data, String name) {
    return data.get(name) instanceof List<?> all
        ? String.join(", ", all.stream().map(Objects::toString).toList())
        : "";
  }

  private List<Section> certificate() {
    if (state.isLocal()) {
      return List.of(Section.note("", desk.text("start.local")));
    }
    Map<?, ?> certificate = state.certificate();
    if (certificate.isEmpty()) {
      return List.of();
    }
    String how = Health.string(certificate, "state");
    List<Fact> facts = new ArrayList<>();
    facts.add(
        new Fact(
            desk.text("column.state"),
            Cell.of(desk.text("start.certificate." + how))
                .with(state.mark(StartStep.CERTIFICATE).tone())));
    time(certificate, "ends", facts);
    if (!how.equals("files") && !how.equals("self-signed")) {
      time(certificate, "next", facts);
      facts.add(new Fact(desk.text("column.names"), Cell.of(joined(certificate, "names"))));
    }
    String reason = Health.string(certificate, "reason");
    if (!reason.isEmpty()) {
      facts.add(new Fact(desk.text("column.reason"), Cell.of(reason).with(Tone.BAD)));
    }
    List<Section> sections = new ArrayList<>(List.of(Section.of("", facts)));
    if (certificate.get("steps") instanceof List<?> steps
        && (!steps.isEmpty() || !reason.isEmpty())) {
      sections.add(Section.of(desk.text("start.order"), steps(steps, !reason.isEmpty()), ""));
    }
    if (state.needsPort80()) {
      sections.add(Section.note("", desk.text("start.port-80")));
    }
    return sections;
  }

  private void time(Map<?, ?> data, String name, List<Fact> facts) {
    String text = Health.string(data, name);
    if (!text.isEmpty()) {
      facts.add(new Fact(desk.text("column." + name), desk.values().time(Instant.parse(text))));
    }
  }

  /// All steps of an order, those that it has not reached too.
  private Table steps(List<?> reached, boolean failed) {
    List<List<Cell>> rows = new ArrayList<>();
    String last = "";
    for (Object each : reached) {
      if (each instanceof Map<?, ?> step) {
        last = Health.string(step, "step");
        rows.add(
            List.of(
                Cell.of(desk.text("start.order." + last)).with(Tone.GOOD),
                Cell.of(Health.string(step, "detail")),
                desk.values().time(Instant.parse(Health.string(step, "time")))));
      }
    }
    List<String> all = List.of("account", "order", "challenge", "validation", "issued");
    boolean first = true;
    for (String word : all.subList(all.indexOf(last) + 1, all.size())) {
      boolean here = failed && first;
      rows.add(
          List.of(
              Cell.of(desk.text("start.order." + word)).with(here ? Tone.BAD : Tone.PLAIN),
              Cell.of(here ? desk.text("start.order.failed") : desk.text("start.order.waits")),
              Cell.of("")));
      first = false;
    }
    return new Table(List.of(column("step"), column("detail"), column("time")), rows);
  }

  private List<Section> reach() {
    if (state.isLocal()) {
      return List.of(Section.note("", desk.text("start.local")));
    }
    Map<String, @Nullable Object> found = state.reach();
    if (found == null) {
      return List.of(
          Section.note("", desk.text("start.reach.unchecked"))
              .with(List.of(again(StartStep.REACH, "start.check"))));
    }
    List<List<Cell>> rows = new ArrayList<>();
    for (Map<?, ?> each : Health.list(found, "findings")) {
      String level = Health.string(each, "level");
      rows.add(
          List.of(
              Cell.of(Health.string(each, "subject")).with(tone(level)),
              Cell.of(Health.string(each, "text")),
              Cell.of(joined(each, "advice"))));
    }
    return List.of(
        Section.of(
                "",
                new Table(List.of(column("subject"), column("text"), column("advice")), rows),
                "")
            .with(List.of(again(StartStep.REACH, "start.check.again"))));
  }

  private List<Section> people() {
    List<Fact> facts = new ArrayList<>();
    facts.add(
        new Fact(
            desk.text("column.accounts"),
            Cell.ofNumber(desk.values().number(state.hosts().getOrDefault(state.host(), 0L)))));
    Map<String, @Nullable Object> present =
        desk.may("administrator.list")
            ? desk.data("administrator.list", Map.of("host", state.host()))
            : null;
    if (present != null) {
      facts.add(
          new Fact(desk.text("column.administrators"), Cell.of(joined(present, "administrators"))));
    }
    Map<String, String> given = values("host", state.host(), "account", "name@" + state.host());
    return List.of(
        Section.of("", facts)
            .with(
                Pages.actions(
                    desk,
                    List.of("account.create", "account.import", "invitation.list"),
                    given,
                    StartStep.PEOPLE.url())));
  }
}
