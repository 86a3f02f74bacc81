package im.zonda.console.guide;

import im.zonda.console.page.ConsolePages;
import im.zonda.console.page.Desk;
import im.zonda.console.page.Health;
import im.zonda.console.page.Pages;
import im.zonda.console.page.Places;
import im.zonda.console.view.Cell;
import im.zonda.console.view.Column;
import im.zonda.console.view.Form;
import im.zonda.console.view.Frame;
import im.zonda.console.view.Link;
import im.zonda.console.view.Section;
import im.zonda.console.view.Table;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.FormData;
import im.zonda.http.page.FormToken;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Page of the former contents of the configuration file, each of which can be restored.
///
/// @param pages what pages have in common
record HistoryPage(Pages pages) implements ConsolePages.FormPage {
  /// Where it is.
  static final String PATH = Places.FOLDER + "setting-history";

  private static final String HISTORY = "config.history";
  private static final String COMPARE = "config.compare";
  private static final String REVERT = "config.revert";
  private static final String VERSION = "version";
  private static final String RAIL = Places.FOLDER + "configuration";

  @Override
  public HttpResponse answer(Desk desk, boolean posted) throws IOException {
    Operation<?, ?> history = desk.find(HISTORY);
    Operation<?, ?> compare = desk.find(COMPARE);
    if (history == null || compare == null) {
      return pages.missing(desk);
    }
    if (!desk.may(history)) {
      return pages.forbidden(desk, history);
    }
    if (posted) {
      return revert(desk);
    }
    String version = desk.query(VERSION);
    if (version.isEmpty()) {
      return list(desk);
    }
    return switch (desk.run(COMPARE, Map.of(VERSION, version))) {
      case Outcome.Done<?>(Record result) -> show(desk, version, compare.result().data(result));
      case Outcome.Refused<?> refused -> pages.refused(desk, refused);
      case Outcome.Partly<?> _, Outcome.Started<?> _, Outcome.Following<?> _ -> pages.missing(desk);
    };
  }

  private Frame frame(Desk desk) {
    return pages.frame(desk, desk.text("setting.history"), RAIL);
  }

  private HttpResponse revert(Desk desk) throws IOException {
    FormData form = FormData.read(desk.visit().request());
    FormToken.check(form, desk.visit().formToken());
    return switch (desk.run(REVERT, Map.of(VERSION, form.get(VERSION)))) {
      case Outcome.Done<?> _ ->
          HttpResponse.redirect(303, Desk.url(RAIL, Map.of(Pages.DONE, REVERT)));
      case Outcome.Refused<?> refused -> pages.refused(desk, refused);
      case Outcome.Partly<?> _, Outcome.Started<?> _, Outcome.Following<?> _ ->
          HttpResponse.redirect(303, PATH);
    };
  }

  private HttpResponse list(Desk desk) {
    Map<String, String> given = new LinkedHashMap<>();
    if (!desk.query("after").isEmpty()) {
      given.put("after", desk.query("after"));
    }
    Map<String, @Nullable Object> data = desk.data(HISTORY, given);
    List<List<Cell>> rows = new ArrayList<>();
    for (Map<?, ?> each : Health.list(data, "versions")) {
      rows.add(
          List.of(
              desk.values()
                  .time(Instant.parse(Health.string(each, "time")))
                  .to(Desk.url(PATH, Map.of(VERSION, Health.string(each, VERSION)))),
              Cell.of(Health.string(each, "caller")),
              Cell.of(Health.string(each, "change"))));
    }
    List<Column> columns = new ArrayList<>();
    for (String word : List.of("time", "caller", "change")) {
      columns.add(new Column(desk.text("column." + word), false));
    }
    List<Link> links = new ArrayList<>();
    Object next = data == null ? null : data.get("next");
    if (next != null) {
      links.add(Link.to(desk.text("list.next"), Desk.url(PATH, Map.of("after", next.toString()))));
    }
    Section section =
        Section.of("", new Table(columns, rows), desk.text("setting.history.empty")).with(links);
    return pages.sections(200, frame(desk), List.of(section));
  }

  private HttpResponse show(Desk desk, String version, Map<String, @Nullable Object> effect) {
    String difference = Health.string(effect, "difference");
    List<String> changes = new ArrayList<>();
    if (effect.get("changes") instanceof List<?> found) {
      found.forEach(each -> changes.add(Objects.toString(each)));
    }
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("section", Section.note("", desk.text("setting.revert.about")));
    parameters.put("difference", difference.lines().toList());
    parameters.put("changes", changes);
    parameters.put("empty", difference.isEmpty() ? desk.text("setting.same") : "");
    if (!difference.isEmpty() && desk.may(REVERT)) {
      parameters.put(
          "apply",
          new Form(
              PATH,
              true,
              List.of(),
              List.of(new Form.Hidden(VERSION, version)),
              desk.text("setting.revert"),
              "",
              ""));
    }
    return pages.templates().page(200, "setting", frame(desk), parameters);
  }
}
