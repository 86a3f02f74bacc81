package im.zonda.console.page;

import im.zonda.console.view.Form;
import im.zonda.console.view.FormField;
import im.zonda.console.view.Frame;
import im.zonda.console.view.Link;
import im.zonda.console.view.Section;
import im.zonda.console.view.Table;
import im.zonda.http.HttpResponse;
import im.zonda.operation.Operation;
import im.zonda.operation.Operation.Reach;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Shape;
import im.zonda.operation.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The page of a list: a filter that is in the address, one page of entries, the way to the next
/// one, and all of them as comma-separated values.
///
/// @param pages what pages have in common
/// @param definition what is listed
record ListPage(Pages pages, ListDefinition definition) {
  /// The parameter that asks for comma-separated values.
  static final String FORMAT = "format";

  private static final String AFTER = "after";
  private static final String LIMIT = "limit";

  /// Answers a request.
  HttpResponse show(Desk desk) {
    Operation<?, ?> operation = desk.find(definition.operation());
    if (operation == null) {
      return pages.missing(desk);
    }
    if (!desk.may(operation)) {
      return pages.forbidden(desk, operation);
    }
    Map<String, String> given = given(desk, operation);
    if (desk.query(FORMAT).equals("csv") && !definition.list().isEmpty()) {
      return new CsvList(desk, operation, definition.list()).response(definition.word(), given);
    }
    Outcome<?> outcome = desk.run(operation.name(), given);
    String problem = Desk.failures(outcome);
    return switch (outcome) {
      case Outcome.Done<?>(Record result) -> page(desk, operation, given, result, problem);
      case Outcome.Partly<?>(Record result, var _) -> page(desk, operation, given, result, problem);
      case Outcome.Refused<?> refused ->
          refused.reason() == Reason.INVALID
              ? wrong(desk, operation, given, refused)
              : pages.refused(desk, refused);
      case Outcome.Started<?> _, Outcome.Following<?> _ -> pages.missing(desk);
    };
  }

  /// The input that the address has.
  private static Map<String, String> given(Desk desk, Operation<?, ?> operation) {
    Map<String, String> given = new LinkedHashMap<>();
    for (Shape.Component component : operation.parameters()) {
      String value = desk.query(component.name());
      if (component.name().equals(Operation.HOST) && component.required()) {
        value = desk.host();
      }
      if (component.name().equals(Operation.NODE) && operation.reach() != Reach.CLUSTER) {
        value = desk.node(operation);
      }
      if (!value.isEmpty()) {
        given.put(component.name(), value);
      }
    }
    return given;
  }

  private Frame frame(Desk desk) {
    return pages.frame(
        desk, desk.text("page." + definition.word()), Places.FOLDER + definition.word());
  }

  private HttpResponse wrong(
      Desk desk, Operation<?, ?> operation, Map<String, String> given, Outcome.Refused<?> refused) {
    Form filter = filter(desk, operation, given, refused, refused.text());
    return pages
        .templates()
        .page(
            422,
            "list",
            frame(desk),
            Map.of(
                "filter",
                filter,
                "section",
                Section.note("", ""),
                "links",
                List.of(),
                "paging",
                List.of()));
  }

  private HttpResponse page(
      Desk desk,
      Operation<?, ?> operation,
      Map<String, String> given,
      Record result,
      String problem) {
    ResultView view = new ResultView(desk.values(), desk.text("empty." + emptyWord(desk)));
    String here = Desk.url(Places.FOLDER + definition.word(), given);
    Map<String, String> host = new LinkedHashMap<>();
    String asked = given.get(Operation.HOST);
    if (asked != null) {
      host.put(Operation.HOST, asked);
    }
    List<Link> links = new ArrayList<>(Pages.actions(desk, definition.actions(), host, here));
    Shape.Component list = operation.result().component(definition.list());
    if (list == null) {
      List<Section> sections = new ArrayList<>(view.sections("", operation.result(), result));
      sections.set(0, sections.getFirst().with(links));
      List<Link> nodes = nodes(desk, operation);
      if (!nodes.isEmpty()) {
        sections.addFirst(Section.note("", "").with(nodes));
      }
      return pages.sections(200, frame(desk), sections);
    }
    Table table =
        view.table(
            list,
            operation.result().get(result, list.name()),
            new ResultView.Choice(
                definition.columns(), element -> rowActions(desk, list, element, host, here)));
    return pages
        .templates()
        .page(
            200,
            "list",
            frame(desk),
            Map.of(
                "filter",
                filter(desk, operation, given, null, problem),
                "section",
                Section.of("", table, view.empty()),
                "links",
                links,
                "paging",
                paging(desk, operation, given, result)));
  }

  /// Links to the page about each node.
  private List<Link> nodes(Desk desk, Operation<?, ?> operation) {
    String path = Places.FOLDER + definition.word();
    return desk.choices(operation).stream()
        .map(each -> Link.to(each, Desk.url(path, Map.of(Operation.NODE, each))))
        .toList();
  }

  private String emptyWord(Desk desk) {
    return desk.visit().language().has("empty." + definition.word()) ? definition.word() : "list";
  }

  private List<Link> rowActions(
      Desk desk, Shape.Component list, Object element, Map<String, String> host, String back) {
    if (!(list.value() instanceof Value.Many(Value each, int _))
        || !(each instanceof Value.Group(Shape shape))) {
      return List.of();
    }
    List<Link> links = new ArrayList<>();
    for (ListDefinition.RowAction action : definition.rowActions()) {
      Map<String, String> input = new LinkedHashMap<>(host);
      action
          .input()
          .forEach((name, column) -> {
            Object value = shape.data((Record) element).get(column);
            if (value != null) {
              input.put(name, value.toString());
            }
          });
      Object node = shape.get((Record) element, Operation.NODE);
      Operation<?, ?> target = desk.find(action.operation());
      if (node != null && target != null && target.reach() != Reach.CLUSTER) {
        input.put(Operation.NODE, node.toString());
      }
      Link link = Pages.action(desk, action.operation(), input, back);
      if (link != null) {
        links.add(link);
      }
    }
    return links;
  }

  /// The way to the next page, and to all entries as comma-separated values.
  private List<Link> paging(
      Desk desk, Operation<?, ?> operation, Map<String, String> given, Record result) {
    List<Link> links = new ArrayList<>();
    String path = Places.FOLDER + definition.word();
    if (given.containsKey(AFTER)) {
      Map<String, String> first = new LinkedHashMap<>(given);
      first.remove(AFTER);
      links.add(Link.to(desk.text("list.first"), Desk.url(path, first)));
    }
    Object next = operation.result().get(result, "next");
    if (next != null) {
      Map<String, String> more = new LinkedHashMap<>(given);
      more.put(AFTER, next.toString());
      links.add(Link.to(desk.text("list.next"), Desk.url(path, more)));
    }
    Map<String, String> csv = new LinkedHashMap<>(given);
    csv.remove(AFTER);
    csv.put(FORMAT, "csv");
    links.add(Link.to(desk.text("list.csv"), Desk.url(path, csv)));
    return links;
  }

  /// The fields by which the list is filtered.
  private Form filter(
      Desk desk,
      Operation<?, ?> operation,
      Map<String, String> given,
      Outcome.@Nullable Refused<?> refused,
      String problem) {
    InputForm form = new InputForm(desk, operation);
    List<FormField> fields = new ArrayList<>();
    for (Shape.Component component : operation.parameters()) {
      boolean only =
          switch (component.name()) {
            case AFTER, LIMIT -> true;
            case Operation.HOST -> desk.hosts().size() < 2;
            case Operation.NODE ->
                operation.reach() != Reach.CLUSTER && desk.choices(operation).isEmpty();
            default -> false;
          };
      if (!only) {
        FormField field = form.field(component, given.getOrDefault(component.name(), ""), refused);
        fields.add(component.value() instanceof Value.Many ? oneOf(form, field, component) : field);
      }
    }
    return new Form(
        Places.FOLDER + definition.word(),
        false,
        fields,
        List.of(),
        desk.text("list.filter"),
        "",
        problem);
  }

  /// A filter of several words has one of them.
  private static FormField oneOf(InputForm form, FormField field, Shape.Component component) {
    return component.value() instanceof Value.Many(Value each, int _)
            && each instanceof Value.Choice choice
        ? new FormField(
            field.name(),
            field.label(),
            form.desk().about(form.operation(), component),
            FormField.Kind.CHOICE,
            field.value(),
            form.options(choice),
            false,
            field.wrong())
        : field;
  }
}
