package im.zonda.console.page;

import im.zonda.console.view.Cell;
import im.zonda.console.view.Column;
import im.zonda.console.view.CsvText;
import im.zonda.console.view.Form;
import im.zonda.console.view.FormField;
import im.zonda.console.view.Frame;
import im.zonda.console.view.Section;
import im.zonda.console.view.Table;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.FormData;
import im.zonda.http.page.FormToken;
import im.zonda.operation.Kind;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Shape;
import im.zonda.operation.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The page of any operation: a form for its input, and its result. What changes something is sent
/// by POST; what cannot be undone must be confirmed.
///
/// @param pages what pages have in common
record OperationPage(Pages pages) {
  /// The component of a result that is a part of a file, and that of the input that names the file.
  private static final String BASE64 = "base64";

  private static final String NAME = "name";
  private static final String LANGUAGE = "language";
  private static final String CONFIRM = "confirmed";
  private static final String JOB = "job.show";
  private static final int MOST_FORM = 1 << 20;
  private static final int RENEWAL_SECONDS = 2;

  /// Shows the form, or the result of an operation that changes nothing and needs nothing more.
  HttpResponse show(Desk desk, String name) {
    Operation<?, ?> operation = desk.find(name);
    if (operation == null) {
      return pages.missing(desk);
    }
    if (!desk.may(operation)) {
      return pages.forbidden(desk, operation);
    }
    Map<String, String> given = new LinkedHashMap<>();
    boolean complete = true;
    for (Shape.Component component : operation.parameters()) {
      boolean node =
          component.name().equals(Operation.NODE) && operation.reach() != Operation.Reach.CLUSTER;
      String value = node ? desk.node(operation) : desk.query(component.name());
      if (!value.isEmpty()) {
        given.put(component.name(), value);
      }
      if (component.name().equals(LANGUAGE) && value.isEmpty()) {
        given.put(LANGUAGE, desk.visit().language().code());
      }
      complete &= !component.required() || !value.isEmpty();
    }
    return operation.kind() == Kind.READ && complete
        ? answer(desk, operation, given, desk.run(name, given))
        : form(desk, operation, given, null);
  }

  /// Runs an operation whose form was sent.
  HttpResponse submit(Desk desk, String name) throws IOException {
    FormData form = FormData.read(desk.visit().request(), MOST_FORM);
    FormToken.check(form, desk.visit().formToken());
    Operation<?, ?> operation = desk.find(name);
    if (operation == null) {
      return pages.missing(desk);
    }
    InputForm input = new InputForm(desk, operation);
    Map<String, String> texts = new LinkedHashMap<>(form.fields());
    if (operation.kind() == Kind.DESTROY && form.get(CONFIRM).isEmpty()) {
      return form(
          desk,
          operation,
          texts,
          new Outcome.Refused<>(Reason.INVALID, desk.text("form.not-confirmed"), null));
    }
    Outcome<?> outcome = desk.run(name, input.read(form));
    return answer(desk, operation, texts, outcome);
  }

  private HttpResponse answer(
      Desk desk, Operation<?, ?> operation, Map<String, String> given, Outcome<?> outcome) {
    return switch (outcome) {
      case Outcome.Done<?>(Record result) -> done(desk, operation, given, result);
      case Outcome.Partly<?>(Record result, List<Outcome.Failure> failures) -> {
        List<Section> sections = new ArrayList<>();
        sections.add(failures(desk, failures));
        sections.addAll(view(desk).sections("", operation.result(), result));
        yield pages.sections(200, frame(desk, operation), sections);
      }
      case Outcome.Started<?>(String job) ->
          HttpResponse.redirect(303, Desk.url(Places.DO + JOB, Map.of("job", job)));
      case Outcome.Following<?> following -> download(operation, given, following);
      case Outcome.Refused<?> refused ->
          refused.reason() == Reason.FORBIDDEN
              ? pages.refused(desk, refused)
              : form(desk, operation, given, refused);
    };
  }

  private HttpResponse done(
      Desk desk, Operation<?, ?> operation, Map<String, String> given, Record result) {
    boolean silent = operation.result().components().isEmpty();
    if (operation.kind() != Kind.READ && silent) {
      String back = Places.ownPage(given.getOrDefault(Places.BACK, ""));
      String join = back.contains("?") ? "&" : "?";
      return HttpResponse.redirect(303, back + join + Pages.DONE + "=" + operation.name());
    }
    List<Section> sections = new ArrayList<>(view(desk).sections("", operation.result(), result));
    Frame frame = frame(desk, operation);
    if (operation.name().equals(JOB)
        && operation.result().data(result).get("state") instanceof String state
        && state.equals("running")) {
      frame = frame.refreshing(RENEWAL_SECONDS);
    }
    boolean nothingToEnter = new InputForm(desk, operation).fields(given, null).isEmpty();
    if (operation.kind() != Kind.READ || nothingToEnter) {
      return pages.sections(200, frame, sections);
    }
    return page(200, frame, form(desk, operation, given, null, false), sections);
  }

  private static ResultView view(Desk desk) {
    return new ResultView(desk.values(), desk.text("empty.list"));
  }

  private Frame frame(Desk desk, Operation<?, ?> operation) {
    boolean own = operation.name().equals(Rail.WHY);
    return pages.frame(desk, desk.title(operation), own ? Places.DO + Rail.WHY : Places.DO);
  }

  private HttpResponse page(int status, Frame frame, Form form, List<Section> sections) {
    return pages
        .templates()
        .page(status, "operation", frame, Map.of("form", form, "sections", sections));
  }

  private HttpResponse form(
      Desk desk,
      Operation<?, ?> operation,
      Map<String, String> given,
      Outcome.@Nullable Refused<?> refused) {
    return page(
        refused == null ? 200 : 422,
        frame(desk, operation),
        form(desk, operation, given, refused, true),
        List.of());
  }

  private static Form form(
      Desk desk,
      Operation<?, ?> operation,
      Map<String, String> given,
      Outcome.@Nullable Refused<?> refused,
      boolean first) {
    List<FormField> fields = new InputForm(desk, operation).fields(given, refused);
    String back = given.getOrDefault(Places.BACK, desk.query(Places.BACK));
    boolean post = operation.kind() != Kind.READ;
    return new Form(
        Places.DO + operation.name(),
        post,
        fields,
        back.isEmpty() || !post
            ? List.of()
            : List.of(new Form.Hidden(Places.BACK, Places.ownPage(back))),
        post ? desk.title(operation) : desk.text(first ? "form.show" : "form.again"),
        operation.kind() == Kind.DESTROY ? desk.text("form.confirm") : "",
        refused == null ? "" : refused.text());
  }

  private static Section failures(Desk desk, List<Outcome.Failure> failures) {
    List<Column> columns =
        List.of(
            new Column(desk.text("column.subject"), false),
            new Column(desk.text("column.reason"), false));
    List<List<Cell>> rows = new ArrayList<>();
    failures.forEach(each -> rows.add(List.of(Cell.of(each.subject()), Cell.of(each.reason()))));
    return Section.of(desk.text("partly"), new Table(columns, rows), "");
  }

  /// What comes as it is known becomes a file: a document as it is, Base64 as the bytes that it
  /// stands for, records as comma-separated values.
  private static <R extends Record> HttpResponse download(
      Operation<?, ?> operation, Map<String, String> given, Outcome.Following<R> following) {
    Shape shape = operation.result();
    boolean document = shape.components().size() == 1;
    boolean binary = document && shape.component(BASE64) != null;
    String name =
        binary ? given.getOrDefault(NAME, "") : operation.name() + (document ? ".xml" : ".csv");
    return HttpResponse.stream(
            200,
            document ? "application/octet-stream" : "text/csv; charset=utf-8",
            -1,
            output -> {
              try {
                following
                    .feed()
                    .follow(result -> {
                      String text = line(shape, result, document);
                      byte[] bytes =
                          binary
                              ? Base64.getDecoder().decode(text)
                              : text.getBytes(StandardCharsets.UTF_8);
                      output.write(bytes, 0, bytes.length);
                    });
              } catch (InterruptedException e) {
                throw new IOException("the client is gone, or the server stops", e);
              }
            })
        .with(
            "Content-Disposition",
            "attachment; filename=\"" + name.replaceAll("[^A-Za-z0-9._-]", "_") + "\"");
  }

  private static String line(Shape shape, Record result, boolean document) {
    Map<String, @Nullable Object> data = shape.data(result);
    if (document) {
      return Objects.toString(data.values().iterator().next(), "");
    }
    return CsvText.line(data.values().stream().map(each -> Objects.toString(each, "")).toList());
  }

  /// All operations that the visitor may run, by subject.
  HttpResponse all(Desk desk) {
    Map<String, List<List<Cell>>> bySubject = new LinkedHashMap<>();
    for (Operation<?, ?> each : desk.operations().catalogue().operations()) {
      if (desk.may(each)) {
        String subject = each.name().substring(0, each.name().indexOf('.'));
        bySubject
            .computeIfAbsent(subject, _ -> new ArrayList<>())
            .add(
                List.of(
                    Cell.link(each.name(), Places.DO + each.name()),
                    Cell.of(desk.title(each)),
                    Cell.of(each.right().word()),
                    Cell.of(desk.text("kind." + Value.word(each.kind())))));
      }
    }
    List<Column> columns = new ArrayList<>();
    for (String word : List.of("operation", "title", "right", "kind")) {
      columns.add(new Column(desk.text("column." + word), false));
    }
    List<Section> sections = new ArrayList<>();
    bySubject.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(each ->
            sections.add(Section.of(each.getKey(), new Table(columns, each.getValue()), "")));
    return pages.sections(
        200, pages.frame(desk, desk.text("page.operations"), Places.DO), sections);
  }
}
