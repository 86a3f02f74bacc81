package im.zonda.console.page;

import im.zonda.console.view.Link;
import im.zonda.console.view.Section;
import im.zonda.http.HttpResponse;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The last lines of the log, and those that follow.
///
/// @param pages what pages have in common
record LogPage(Pages pages) {
  /// The operation that gives those that follow.
  static final String TAIL = "log.tail";

  private static final String LINES = "100";

  /// Answers a request.
  HttpResponse show(Desk desk) {
    Operation<?, ?> operation = desk.find(Rail.LOG);
    if (operation == null) {
      return pages.missing(desk);
    }
    if (!desk.may(operation)) {
      return pages.forbidden(desk, operation);
    }
    Map<String, String> given = given(desk, operation);
    Outcome<?> outcome = desk.run(Rail.LOG, given);
    return switch (outcome) {
      case Outcome.Done<?>(Record result) -> page(desk, operation, result, "");
      case Outcome.Partly<?>(Record result, var _) ->
          page(desk, operation, result, Desk.failures(outcome));
      case Outcome.Refused<?> refused -> pages.refused(desk, refused);
      case Outcome.Started<?> _, Outcome.Following<?> _ -> pages.missing(desk);
    };
  }

  private HttpResponse page(Desk desk, Operation<?, ?> operation, Record result, String failures) {
    Map<String, String> node = new LinkedHashMap<>();
    node.put(Operation.NODE, desk.node(operation));
    List<Link> links = new ArrayList<>();
    for (String each : desk.choices(operation)) {
      links.add(Link.to(each, Desk.url(Places.LOG, Map.of(Operation.NODE, each))));
    }
    links.addAll(
        Pages.actions(
            desk, List.of("log.levels", "log.set", "log.reset"), node, Desk.url(Places.LOG, node)));
    return pages
        .templates()
        .page(
            200,
            "log",
            pages.frame(desk, desk.text("page.log"), Places.LOG),
            Map.of(
                "lines",
                lines(operation, result),
                "live",
                Desk.url(Places.LIVE_LOG, node),
                "section",
                Section.note("", failures).with(links)));
  }

  private static Map<String, String> given(Desk desk, Operation<?, ?> operation) {
    Map<String, String> given = new LinkedHashMap<>();
    given.put("lines", LINES);
    given.put(Operation.NODE, desk.node(operation));
    given.values().removeIf(String::isEmpty);
    return given;
  }

  /// The last lines that the address of the page asks for; empty if there are none at present.
  static List<String> lines(Desk desk) {
    Operation<?, ?> operation = desk.find(Rail.LOG);
    Record result =
        operation == null ? null : Desk.result(desk.run(Rail.LOG, given(desk, operation)));
    return operation == null || result == null ? List.of() : lines(operation, result);
  }

  /// Lines, those of several nodes by their times.
  private static List<String> lines(Operation<?, ?> operation, Record result) {
    List<Map<?, ?>> lines = new ArrayList<>(Health.list(operation.result().data(result), "lines"));
    boolean several =
        lines.stream().map(each -> Health.string(each, Operation.NODE)).distinct().count() > 1;
    if (several) {
      lines.sort(Comparator.comparing(each -> Instant.parse(Health.string(each, "time"))));
    }
    return lines.stream()
        .map(each ->
            (several ? Health.string(each, Operation.NODE) + " " : "")
                + Health.string(each, "text"))
        .toList();
  }
}
