package im.zonda.console.page;

import im.zonda.console.view.Section;
import im.zonda.http.HttpResponse;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import java.util.List;
import java.util.Map;

/// The last lines of the log, and those that follow.
///
/// @param pages what pages have in common
record LogPage(Pages pages) {
  /// Where it is.
  static final String PATH = Places.FOLDER + "log";

  /// The operation that gives the last lines.
  static final String SHOW = "log.show";

  /// The operation that gives those that follow.
  static final String TAIL = "log.tail";

  private static final String LINES = "100";

  /// Answers a request.
  HttpResponse show(Desk desk) {
    Operation<?, ?> operation = desk.find(SHOW);
    if (operation == null) {
      return pages.missing(desk);
    }
    if (!desk.may(operation)) {
      return pages.forbidden(desk, operation);
    }
    return switch (desk.run(SHOW, Map.of("lines", LINES))) {
      case Outcome.Done<?>(Record result) ->
          pages
              .templates()
              .page(
                  200,
                  "log",
                  pages.frame(desk, desk.text("page.log"), PATH),
                  Map.of(
                      "lines",
                      Health.list(operation.result().data(result), "lines").stream()
                          .map(each -> Health.string(each, "text"))
                          .toList(),
                      "section",
                      Section.note("", "")
                          .with(
                              Pages.actions(
                                  desk,
                                  List.of("log.levels", "log.set", "log.reset"),
                                  Map.of(),
                                  PATH))));
      case Outcome.Refused<?> refused -> pages.refused(desk, refused);
      case Outcome.Partly<?> _, Outcome.Started<?> _, Outcome.Following<?> _ -> pages.missing(desk);
    };
  }
}
