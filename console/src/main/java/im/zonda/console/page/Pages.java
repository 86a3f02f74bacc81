package im.zonda.console.page;

import im.zonda.console.view.Frame;
import im.zonda.console.view.Link;
import im.zonda.console.view.Section;
import im.zonda.console.view.Templates;
import im.zonda.http.HttpResponse;
import im.zonda.operation.Kind;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The frame of all pages of the console, and their refusals.
///
/// @param templates the templates
/// @param label the word that every page shows
public record Pages(Templates templates, String label) {
  /// The parameter with the name of the operation that was just done.
  public static final String DONE = "done";

  /// The frame of a page.
  ///
  /// @param current the address of the entry of the rail
  public Frame frame(Desk desk, String title, String current) {
    Operation<?, ?> done = desk.find(desk.query(DONE));
    return new Frame(
        desk.visit().language(),
        title,
        label,
        desk.visit().caller().name(),
        Rail.of(desk, current),
        desk.visit().formToken(),
        desk.query("q"),
        done == null ? "" : desk.text("done", desk.title(done)),
        0);
  }

  /// A page of sections.
  public HttpResponse sections(int status, Frame frame, List<Section> sections) {
    return templates.page(status, "sections", frame, Map.of("sections", sections));
  }

  /// A page that says in a sentence why there is nothing else.
  public HttpResponse refused(Desk desk, Outcome.Refused<?> refused) {
    boolean forbidden = refused.reason() == Reason.FORBIDDEN;
    int status =
        switch (refused.reason()) {
          case FORBIDDEN -> 403;
          case NOT_FOUND -> 404;
          case NOT_APPLICABLE -> 200;
          case TOO_MANY -> 429;
          case UNAVAILABLE, TIMEOUT -> 503;
          case FAILED -> 500;
          case INVALID, CONFLICT -> 422;
        };
    String text = Character.toUpperCase(refused.text().charAt(0)) + refused.text().substring(1);
    return sections(
        status,
        frame(desk, desk.text(title(refused.reason())), ""),
        List.of(Section.note("", forbidden ? text + " " + desk.text("refused.how") : text)));
  }

  private static String title(Reason reason) {
    return switch (reason) {
      case FORBIDDEN -> "refused.title";
      case NOT_FOUND -> "missing.title";
      case NOT_APPLICABLE, TOO_MANY, UNAVAILABLE, TIMEOUT, FAILED, INVALID, CONFLICT ->
          "refused.other";
    };
  }

  /// A page that says which right the visitor lacks.
  public HttpResponse forbidden(Desk desk, Operation<?, ?> operation) {
    return refused(desk, new Outcome.Refused<>(Reason.FORBIDDEN, lacking(desk, operation), null));
  }

  /// The sentence that says which right a visitor lacks.
  public static String lacking(Desk desk, Operation<?, ?> operation) {
    return desk.text("refused.right", desk.title(operation), operation.right().word());
  }

  /// There is no such page.
  public HttpResponse missing(Desk desk) {
    return sections(
        404,
        frame(desk, desk.text("missing.title"), ""),
        List.of(Section.note("", desk.text("missing.note"))));
  }

  /// Links to operations that the visitor may run.
  ///
  /// @param given values for their input
  public static List<Link> actions(
      Desk desk, List<String> operations, Map<String, String> given, String back) {
    List<Link> links = new ArrayList<>();
    for (String name : operations) {
      Link link = action(desk, name, given, back);
      if (link != null) {
        links.add(link);
      }
    }
    return links;
  }

  /// A link to an operation; null if the visitor may not run it.
  public static @Nullable Link action(
      Desk desk, String name, Map<String, String> given, String back) {
    Operation<?, ?> operation = desk.find(name);
    if (operation == null || !desk.may(operation)) {
      return null;
    }
    String key = "do." + name;
    String text = desk.visit().language().has(key) ? desk.text(key) : desk.title(operation);
    return new Link(
        text, Places.operation(operation, given, back), operation.kind() == Kind.DESTROY);
  }
}
