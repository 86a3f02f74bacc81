package im.zonda.console.page;

import im.zonda.console.view.Cell;
import im.zonda.console.view.Fact;
import im.zonda.console.view.Form;
import im.zonda.console.view.FormField;
import im.zonda.console.view.Link;
import im.zonda.console.view.Section;
import im.zonda.console.view.Timeline;
import im.zonda.console.view.Tone;
import im.zonda.http.HttpResponse;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The pages of traces: what is traced and which messages were, and the way of one of them.
///
/// @param pages what pages have in common
record TracePages(Pages pages) {
  /// The page of a message.
  static final String SHOW = Places.FOLDER + "trace";

  /// The operation that shows the way of one.
  static final String WAY = "trace.show";

  private static final String RUNNING = "trace.list";
  private static final String MESSAGE = "message";
  private static final String AFTER = "after";
  private static final List<String> COLUMNS =
      List.of("time", "sender", "receiver", "type", "stanza", "trace", "node");
  private static final List<String> FILTERS = List.of("address", "trace", "since", "until");

  // ---- what is traced

  /// Answers a request for the list.
  HttpResponse list(Desk desk) {
    Operation<?, ?> operation = desk.find(Rail.TRACES);
    if (operation == null) {
      return pages.missing(desk);
    }
    if (!desk.may(operation)) {
      return pages.forbidden(desk, operation);
    }
    Map<String, String> given = new LinkedHashMap<>();
    for (Shape.Component component : operation.input().components()) {
      String value = desk.query(component.name());
      if (!value.isEmpty()) {
        given.put(component.name(), value);
      }
    }
    return switch (desk.run(Rail.TRACES, given)) {
      case Outcome.Done<?>(Record result) -> list(desk, operation, given, result, null);
      case Outcome.Refused<?> refused ->
          refused.reason() == Outcome.Reason.INVALID
              ? list(desk, operation, given, null, refused)
              : pages.refused(desk, refused);
      case Outcome.Partly<?> _, Outcome.Started<?> _, Outcome.Following<?> _ -> pages.missing(desk);
    };
  }

  private HttpResponse list(
      Desk desk,
      Operation<?, ?> operation,
      Map<String, String> given,
      @Nullable Record result,
      Outcome.@Nullable Refused<?> refused) {
    String here = Desk.url(Places.TRACES, given);
    List<Link> paging = new ArrayList<>();
    if (given.containsKey(AFTER)) {
      Map<String, String> first = new LinkedHashMap<>(given);
      first.remove(AFTER);
      paging.add(Link.to(desk.text("list.first"), Desk.url(Places.TRACES, first)));
    }
    Section messages = Section.note("", "");
    if (result != null) {
      messages = messages(desk, operation, result, here);
      Object next = operation.result().get(result, "next");
      if (next != null) {
        Map<String, String> more = new LinkedHashMap<>(given);
        more.put(AFTER, next.toString());
        paging.add(Link.to(desk.text("list.next"), Desk.url(Places.TRACES, more)));
      }
    }
    return pages
        .templates()
        .page(
            refused == null ? 200 : 422,
            "traces",
            pages.frame(desk, desk.text("page.traces"), Places.TRACES),
            Map.of(
                "running",
                running(desk, here),
                "filter",
                filter(desk, operation, given, refused),
                "messages",
                messages,
                "links",
                Pages.actions(desk, List.of("trace.start"), Map.of(), Places.TRACES),
                "paging",
                paging));
  }

  private static Section running(Desk desk, String here) {
    Operation<?, ?> operation = Objects.requireNonNull(desk.find(RUNNING));
    if (!(desk.run(RUNNING, Map.of()) instanceof Outcome.Done<?>(Record result))) {
      return Section.note("", desk.text("empty.list"));
    }
    Shape.Component list = Objects.requireNonNull(operation.result().component("traces"));
    ResultView view = new ResultView(desk.values(), desk.text("empty.traces"));
    return Section.of(
        desk.text("trace.running"),
        view.table(
            list,
            operation.result().get(result, "traces"),
            new ResultView.Choice(
                List.of(),
                element -> {
                  String name = value(list, element, "trace");
                  List<Link> links = new ArrayList<>();
                  links.add(
                      Link.to(
                          desk.text("trace.its-messages"),
                          Desk.url(Places.TRACES, Map.of("trace", name))));
                  Link stop = Pages.action(desk, "trace.stop", Map.of("trace", name), here);
                  if (stop != null) {
                    links.add(stop);
                  }
                  return links;
                })),
        view.empty());
  }

  private static Section messages(
      Desk desk, Operation<?, ?> operation, Record result, String here) {
    Shape.Component list = Objects.requireNonNull(operation.result().component("messages"));
    ResultView view = new ResultView(desk.values(), desk.text("empty.traced"));
    return Section.of(
        "",
        view.table(
            list,
            operation.result().get(result, "messages"),
            new ResultView.Choice(
                COLUMNS,
                element ->
                    List.of(
                        Link.to(
                            desk.text("do.trace.show"),
                            Desk.url(
                                SHOW,
                                Map.of(
                                    MESSAGE, value(list, element, MESSAGE), Places.BACK, here)))))),
        view.empty());
  }

  private static String value(Shape.Component list, Object element, String name) {
    return list.value() instanceof im.zonda.operation.Value.Many(var each, int _)
            && each instanceof im.zonda.operation.Value.Group(Shape shape)
        ? Objects.toString(shape.get((Record) element, name), "")
        : "";
  }

  private static Form filter(
      Desk desk,
      Operation<?, ?> operation,
      Map<String, String> given,
      Outcome.@Nullable Refused<?> refused) {
    InputForm form = new InputForm(desk, operation);
    List<FormField> fields = new ArrayList<>();
    for (Shape.Component component : operation.input().components()) {
      if (FILTERS.contains(component.name())) {
        fields.add(form.field(component, given.getOrDefault(component.name(), ""), refused));
      }
    }
    return new Form(
        Places.TRACES,
        false,
        fields,
        List.of(),
        desk.text("list.filter"),
        "",
        refused == null ? "" : refused.text());
  }

  // ---- the way of a message

  /// Answers a request for the way of a message.
  HttpResponse show(Desk desk) {
    Operation<?, ?> operation = desk.find(WAY);
    String message = desk.query(MESSAGE);
    if (operation == null || message.isEmpty()) {
      return pages.missing(desk);
    }
    if (!desk.may(operation)) {
      return pages.forbidden(desk, operation);
    }
    Map<String, String> given =
        Map.of(MESSAGE, message, "language", desk.visit().language().code());
    return switch (desk.run(WAY, given)) {
      case Outcome.Done<?>(Record result) -> way(desk, operation.result().data(result));
      case Outcome.Refused<?> refused -> pages.refused(desk, refused);
      case Outcome.Partly<?> _, Outcome.Started<?> _, Outcome.Following<?> _ -> pages.missing(desk);
    };
  }

  private HttpResponse way(Desk desk, Map<String, @Nullable Object> way) {
    List<Map<?, ?>> steps = Health.list(way, "steps");
    long all = Health.number(way, "took");
    List<Timeline.Step> shown = new ArrayList<>();
    for (Map<?, ?> each : steps) {
      long after = Health.number(each, "after");
      long took = Health.number(each, "took");
      shown.add(
          new Timeline.Step(
              Health.string(each, "where"),
              Health.string(each, "text"),
              tone(Health.string(each, "verdict")),
              Health.string(each, "node"),
              "+" + span(desk, after),
              took == 0 ? "" : desk.text("trace.took", span(desk, took)),
              Timeline.Bar.of(after - took, after, all)));
    }
    Timeline.Step main = main(shown, steps);
    return pages
        .templates()
        .page(
            200,
            "timeline",
            pages.frame(desk, desk.text("trace.way"), Places.TRACES),
            Map.of(
                "sentence",
                main == null ? desk.text("empty.list") : main.text(),
                "tone",
                main == null ? Tone.PLAIN : main.tone(),
                "about",
                about(desk, way),
                "timeline",
                new Timeline(shown),
                "links",
                links(desk, way)));
  }

  /// The step that says most: where it was stopped; otherwise where the receiver has got it;
  /// otherwise the last one.
  private static Timeline.@Nullable Step main(List<Timeline.Step> shown, List<Map<?, ?>> steps) {
    Timeline.Step best = shown.isEmpty() ? null : shown.getLast();
    for (int i = shown.size() - 1; i >= 0; i--) {
      if (shown.get(i).tone() == Tone.BAD) {
        return shown.get(i);
      }
      String verdict = Health.string(steps.get(i), "verdict");
      if (List.of("acknowledged", "written").contains(verdict)) {
        best = shown.get(i);
      }
    }
    return best;
  }

  private static Tone tone(String verdict) {
    return switch (verdict) {
      case "refused", "dropped", "bounced" -> Tone.BAD;
      case "queued", "held", "notified" -> Tone.WARNING;
      case "delivered", "written", "acknowledged", "sent", "handled", "stored" -> Tone.GOOD;
      default -> Tone.PLAIN;
    };
  }

  private static String span(Desk desk, long micros) {
    Locale locale = Locale.of(desk.visit().language().code());
    if (micros < 1_000) {
      return micros + " µs";
    }
    return micros < 1_000_000
        ? String.format(locale, "%.1f ms", micros / 1_000.0)
        : String.format(locale, "%.2f s", micros / 1_000_000.0);
  }

  private static Section about(Desk desk, Map<String, @Nullable Object> way) {
    List<Fact> facts = new ArrayList<>();
    for (String name : List.of("sender", "receiver", "type", "stanza", "time")) {
      String value = Health.string(way, name);
      if (!value.isEmpty()) {
        facts.add(new Fact(desk.text("column." + name), Cell.of(value)));
      }
    }
    return Section.of(desk.text("trace.message"), facts);
  }

  private static List<Link> links(Desk desk, Map<String, @Nullable Object> way) {
    List<Link> links = new ArrayList<>();
    String receiver = bare(Health.string(way, "receiver"));
    String sender = bare(Health.string(way, "sender"));
    Operation<?, ?> why = desk.find(Rail.WHY);
    if (why != null && desk.may(why) && !receiver.isEmpty() && !sender.isEmpty()) {
      Map<String, String> question = new LinkedHashMap<>();
      question.put("host", domain(desk, receiver, sender));
      question.put("sender", sender);
      question.put("receiver", receiver);
      question.put("at", Health.string(way, "time"));
      links.add(Link.to(desk.text("page.why"), Desk.url(Places.DO + Rail.WHY, question)));
    }
    links.add(Link.to(desk.text("page.traces"), Places.TRACES));
    return links;
  }

  private static String bare(String address) {
    int slash = address.indexOf('/');
    return slash < 0 ? address : address.substring(0, slash);
  }

  private static String domain(Desk desk, String receiver, String sender) {
    String domain = receiver.substring(receiver.indexOf('@') + 1);
    for (String host : desk.hosts()) {
      if (domain.equals(host) || domain.endsWith("." + host)) {
        return host;
      }
    }
    return sender.substring(sender.indexOf('@') + 1);
  }
}
