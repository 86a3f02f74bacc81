package im.zonda.console.page;

import im.zonda.console.view.Frame;
import im.zonda.console.view.Link;
import im.zonda.console.view.Section;
import im.zonda.console.view.Table;
import im.zonda.http.HttpResponse;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Shape;
import im.zonda.operation.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The page of one account or one room: what is known of it, lists that belong to it, and what can
/// be done with it.
///
/// @param pages what pages have in common
/// @param subject what it is about
record SubjectPage(Pages pages, Subject subject) {
  /// The most entries of a list on the page; all of them are on the page of the operation.
  private static final String MOST = "10";

  /// Something that has a page of its own.
  ///
  /// @param component the component of the input of the operations, and the parameter
  /// @param path the address of the page
  /// @param rail the entry of the rail
  /// @param show the operation that says what is known of it
  /// @param parts further operations, of which each is a section
  /// @param actions what can be done
  record Subject(
      String component,
      String path,
      String rail,
      String show,
      List<Part> parts,
      List<String> actions) {
    /// An account.
    static final Subject PERSON =
        new Subject(
            "account",
            Places.PERSON,
            "people",
            "account.show",
            List.of(
                new Part("session.list", "sessions", Map.of("resource", "session.end")),
                new Part("device.list", "devices", Map.of("device", "device.remove")),
                new Part("roster.show", "contacts", Map.of("contact", "roster.remove")),
                new Part("archive.show", "", Map.of()),
                new Part("file.list", "files", Map.of())),
            List.of(
                "account.password",
                "account.disable",
                "account.enable",
                "session.end-all",
                "archive.delete",
                "file.remove",
                "account.export",
                "account.forget",
                "account.remove"));

    /// A room.
    static final Subject ROOM =
        new Subject(
            "room",
            Places.ROOM,
            "rooms",
            "room.show",
            List.of(
                new Part("room.occupants", "occupants", Map.of("nick", "room.kick")),
                new Part("room.affiliations", "affiliations", Map.of("user", "room.affiliate"))),
            List.of("room.configure", "room.affiliate", "room.clean", "room.destroy"));
  }

  /// A list that belongs to it.
  ///
  /// @param operation gives it
  /// @param list the component of the result; empty for the result as it is
  /// @param actions what can be done with an entry: the component that names it, and the operation
  record Part(String operation, String list, Map<String, String> actions) {}

  /// Answers a request.
  HttpResponse show(Desk desk) {
    Operation<?, ?> show = desk.find(subject.show());
    String address = desk.query(subject.component());
    if (show == null || address.isEmpty()) {
      return pages.missing(desk);
    }
    if (!desk.may(show)) {
      return pages.forbidden(desk, show);
    }
    return switch (desk.run(show.name(), Map.of(subject.component(), address))) {
      case Outcome.Done<?>(Record result) -> page(desk, show, address, result);
      case Outcome.Refused<?> refused -> pages.refused(desk, refused);
      case Outcome.Partly<?> _, Outcome.Started<?> _, Outcome.Following<?> _ -> pages.missing(desk);
    };
  }

  private HttpResponse page(Desk desk, Operation<?, ?> show, String address, Record result) {
    String here = Desk.url(subject.path(), Map.of(subject.component(), address));
    Map<String, String> given = new LinkedHashMap<>();
    given.put(subject.component(), address);
    given.put(Operation.HOST, domain(address));
    ResultView view = new ResultView(desk.values(), desk.text("empty.list"));
    List<Section> sections = new ArrayList<>(view.sections("", show.result(), result));
    sections.set(
        0, sections.getFirst().with(Pages.actions(desk, actions(show, result), given, here)));
    for (Part part : subject.parts()) {
      Section section = part(desk, part, given, here);
      if (section != null) {
        sections.add(section);
      }
    }
    Frame frame = pages.frame(desk, address, Places.FOLDER + subject.rail());
    return pages.sections(200, frame, sections);
  }

  /// What can be done with it as it is: nobody disables what is disabled.
  private List<String> actions(Operation<?, ?> show, Record result) {
    Object disabled = show.result().get(result, "disabled");
    return subject.actions().stream()
        .filter(each ->
            disabled == null
                || !each.equals((Boolean) disabled ? "account.disable" : "account.enable"))
        .toList();
  }

  private static String domain(String address) {
    return address.substring(address.indexOf('@') + 1);
  }

  private @Nullable Section part(Desk desk, Part part, Map<String, String> given, String here) {
    Operation<?, ?> operation = desk.find(part.operation());
    if (operation == null || !desk.may(operation)) {
      return null;
    }
    Map<String, String> input = new LinkedHashMap<>();
    for (Shape.Component component : operation.input().components()) {
      String value = component.name().equals("limit") ? MOST : given.get(component.name());
      if (value != null) {
        input.put(component.name(), value);
      }
    }
    String title = desk.text("part." + part.operation());
    return switch (desk.run(operation.name(), input)) {
      case Outcome.Done<?>(Record result) -> section(desk, part, operation, result, input, here);
      case Outcome.Partly<?>(Record result, var _) ->
          section(desk, part, operation, result, input, here);
      case Outcome.Refused<?> refused -> Section.note(title, refused.text());
      case Outcome.Started<?> _, Outcome.Following<?> _ -> null;
    };
  }

  private Section section(
      Desk desk,
      Part part,
      Operation<?, ?> operation,
      Record result,
      Map<String, String> input,
      String here) {
    String title = desk.text("part." + part.operation());
    ResultView view = new ResultView(desk.values(), desk.text("empty.list"));
    Shape.Component list = operation.result().component(part.list());
    if (list == null) {
      return view.sections(title, operation.result(), result).getFirst().titled(title);
    }
    Object value = operation.result().get(result, list.name());
    Table table =
        view.table(
            list,
            value,
            new ResultView.Choice(
                columns(list), element -> actions(desk, part, list, element, input, here)));
    boolean more = operation.result().get(result, "next") != null;
    Section section = Section.of(title, table, view.empty());
    return more
        ? section.with(
            List.of(
                Link.to(desk.text("list.all"), Places.operation(operation, without(input), here))))
        : section;
  }

  /// All but what the page is about.
  private List<String> columns(Shape.Component list) {
    return list.value() instanceof Value.Many(Value each, int _)
            && each instanceof Value.Group(Shape shape)
        ? shape.components().stream()
            .map(Shape.Component::name)
            .filter(name -> !name.equals(subject.component()))
            .toList()
        : List.of();
  }

  private static Map<String, String> without(Map<String, String> input) {
    Map<String, String> all = new LinkedHashMap<>(input);
    all.remove("limit");
    return all;
  }

  private static List<Link> actions(
      Desk desk,
      Part part,
      Shape.Component list,
      Object element,
      Map<String, String> input,
      String here) {
    if (!(list.value() instanceof Value.Many(Value each, int _))
        || !(each instanceof Value.Group(Shape shape))) {
      return List.of();
    }
    List<Link> links = new ArrayList<>();
    part.actions()
        .forEach((name, operation) -> {
          Object value = shape.data((Record) element).get(name);
          Map<String, String> all = new LinkedHashMap<>(input);
          all.put(name, Objects.toString(value, ""));
          Link link = Pages.action(desk, operation, all, here);
          if (link != null) {
            links.add(link);
          }
        });
    return links;
  }
}
