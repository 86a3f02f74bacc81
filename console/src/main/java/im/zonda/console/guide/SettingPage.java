package im.zonda.console.guide;

import im.zonda.console.page.ConsolePages;
import im.zonda.console.page.Desk;
import im.zonda.console.page.Health;
import im.zonda.console.page.Pages;
import im.zonda.console.page.Places;
import im.zonda.console.view.Cell;
import im.zonda.console.view.Fact;
import im.zonda.console.view.Form;
import im.zonda.console.view.FormField;
import im.zonda.console.view.FormField.Kind;
import im.zonda.console.view.Link;
import im.zonda.console.view.Section;
import im.zonda.console.view.Tone;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.FormData;
import im.zonda.http.page.FormToken;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One setting: what it is for, its value, and a change of it, which is shown before it is made.
///
/// @param pages what pages have in common
record SettingPage(Pages pages) implements ConsolePages.FormPage {
  /// Where it is.
  static final String PATH = Places.FOLDER + "setting";

  private static final String PREVIEW = "config.preview";
  private static final String SET = "config.set";
  private static final String KEY = "key";
  private static final String VALUE = "value";
  private static final String STEP = "step";
  private static final String LIST = Places.FOLDER + "configuration";
  private static final int MOST_FORM = 1 << 16;

  @Override
  public HttpResponse answer(Desk desk, boolean posted) throws IOException {
    Operation<?, ?> preview = desk.find(PREVIEW);
    if (preview == null) {
      return pages.missing(desk);
    }
    if (!desk.may(preview)) {
      return pages.forbidden(desk, preview);
    }
    if (posted) {
      FormData form = FormData.read(desk.visit().request(), MOST_FORM);
      FormToken.check(form, desk.visit().formToken());
      return change(desk, form.get(KEY), form.get(VALUE));
    }
    String key = desk.query(KEY);
    if (desk.query(STEP).isEmpty()) {
      return page(desk, 200, key, shown(setting(desk, key)), null, "");
    }
    String value = desk.query(VALUE);
    return switch (desk.run(PREVIEW, input(key, value))) {
      case Outcome.Done<?>(Record result) ->
          page(desk, 200, key, value, preview.result().data(result), "");
      case Outcome.Refused<?> refused -> page(desk, 422, key, value, null, refused.text());
      case Outcome.Partly<?> _, Outcome.Started<?> _, Outcome.Following<?> _ -> pages.missing(desk);
    };
  }

  private static Map<String, String> input(String key, String value) {
    String line =
        value.strip().replaceAll("\\s*\\R\\s*", value.strip().startsWith("[") ? " " : ", ");
    return line.isEmpty() ? Map.of(KEY, key) : Map.of(KEY, key, VALUE, line);
  }

  private HttpResponse change(Desk desk, String key, String value) {
    return switch (desk.run(SET, input(key, value))) {
      case Outcome.Done<?> _ ->
          HttpResponse.redirect(303, Desk.url(PATH, ordered(KEY, key, Pages.DONE, SET)));
      case Outcome.Refused<?> refused ->
          refused.reason() == Outcome.Reason.FORBIDDEN
              ? pages.refused(desk, refused)
              : page(desk, 422, key, value, null, refused.text());
      case Outcome.Partly<?> _, Outcome.Started<?> _, Outcome.Following<?> _ -> pages.missing(desk);
    };
  }

  private static Map<String, String> ordered(String... pairs) {
    Map<String, String> all = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      all.put(pairs[i], pairs[i + 1]);
    }
    return all;
  }

  /// The setting as plain data; empty for one that is of a single domain.
  private static Map<?, ?> setting(Desk desk, String key) {
    for (Map<?, ?> each :
        Health.list(desk.data("config.list", Map.of("text", key, "limit", "500")), "keys")) {
      if (Health.string(each, KEY).equals(key)) {
        return each;
      }
    }
    return Map.of();
  }

  /// A value as people write it: a list in lines, a text without quotes.
  private static String shown(Map<?, ?> setting) {
    String value = Health.string(setting, VALUE);
    if (value.matches("\\[(\"[^\"\\\\]*\"(, )?)*]")) {
      return value.substring(1, value.length() - 1).replace("\", \"", "\"\n\"").replace("\"", "");
    }
    return value.matches("\"[^\"\\\\]*\"") ? value.substring(1, value.length() - 1) : value;
  }

  private HttpResponse page(
      Desk desk,
      int status,
      String key,
      String value,
      @Nullable Map<String, @Nullable Object> effect,
      String problem) {
    Map<?, ?> setting = setting(desk, key);
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("section", facts(desk, setting));
    parameters.put(
        "form",
        new Form(
            PATH,
            false,
            List.of(
                field(desk, KEY, Kind.TEXT, key, true, desk.text("setting.key.about")),
                field(desk, VALUE, Kind.LINES, value, false, takes(desk, setting))),
            List.of(new Form.Hidden(STEP, "preview")),
            desk.text("setting.preview"),
            "",
            problem));
    String difference = effect == null ? "" : Health.string(effect, "difference");
    parameters.put("difference", difference.lines().toList());
    List<String> changes = new ArrayList<>();
    if (effect != null && effect.get("changes") instanceof List<?> found) {
      found.forEach(each -> changes.add(Objects.toString(each)));
    }
    parameters.put("changes", changes);
    parameters.put(
        "empty", effect != null && difference.isEmpty() ? desk.text("setting.same") : "");
    if (!difference.isEmpty() && desk.may(SET)) {
      parameters.put(
          "apply",
          new Form(
              PATH,
              true,
              List.of(),
              List.of(new Form.Hidden(KEY, key), new Form.Hidden(VALUE, value)),
              desk.text("setting.apply"),
              "",
              ""));
    }
    return pages
        .templates()
        .page(status, "setting", pages.frame(desk, desk.text("setting.title"), LIST), parameters);
  }

  private static FormField field(
      Desk desk, String name, Kind kind, String value, boolean required, String about) {
    return new FormField(
        name, desk.text("column." + name), about, kind, value, List.of(), required, false);
  }

  private static String takes(Desk desk, Map<?, ?> setting) {
    String takes = Health.string(setting, "takes");
    String empty = desk.text("setting.value.about");
    return takes.isEmpty()
        ? empty
        : Character.toUpperCase(takes.charAt(0)) + takes.substring(1) + ". " + empty;
  }

  /// The meaning of a setting, without the marks of the reference.
  private static String sentence(Map<?, ?> setting) {
    String meaning = Health.string(setting, "meaning").replace("`", "");
    return Character.toUpperCase(meaning.charAt(0)) + meaning.substring(1);
  }

  private static Section facts(Desk desk, Map<?, ?> setting) {
    if (setting.isEmpty()) {
      return Section.note("", desk.text("setting.unknown"));
    }
    boolean waits = Boolean.TRUE.equals(setting.get("waits"));
    String origin = Health.string(setting, "origin");
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact(desk.text("column.meaning"), Cell.of(sentence(setting))));
    facts.add(new Fact(desk.text("column.value"), Cell.of(Health.string(setting, VALUE))));
    facts.add(
        new Fact(
            desk.text("column.origin"),
            Cell.of(origin.isEmpty() ? desk.text("setting.default") : origin)));
    facts.add(
        new Fact(
            desk.text("column.waits"),
            Cell.of(desk.text(waits ? "yes" : "no")).with(waits ? Tone.WARNING : Tone.PLAIN)));
    List<Link> links = new ArrayList<>();
    Link restart = waits ? Pages.action(desk, "server.restart", Map.of(), LIST) : null;
    if (restart != null) {
      links.add(restart);
    }
    links.add(Link.to(desk.text("setting.history"), HistoryPage.PATH));
    return Section.of("", facts).with(links);
  }
}
