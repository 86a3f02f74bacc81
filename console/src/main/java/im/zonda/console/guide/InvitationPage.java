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
import im.zonda.console.view.Frame;
import im.zonda.console.view.Link;
import im.zonda.console.view.QrCode;
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
import org.jspecify.annotations.Nullable;

/// Invites someone: a form, then the link with its QR code, which is shown once.
///
/// @param pages what pages have in common
record InvitationPage(Pages pages) implements ConsolePages.FormPage {
  /// Where it is.
  static final String PATH = Places.FOLDER + "invite";

  /// The operation that makes invitations.
  static final String CREATE = "invitation.create";

  private static final String LIST = Places.FOLDER + "invitations";
  private static final List<String> FIELDS = List.of("host", "username", "circle", "time");

  @Override
  public HttpResponse answer(Desk desk, boolean posted) throws IOException {
    Operation<?, ?> create = desk.find(CREATE);
    if (create == null) {
      return pages.missing(desk);
    }
    if (!desk.may(create)) {
      return pages.forbidden(desk, create);
    }
    if (!posted) {
      return form(desk, 200, Map.of("host", desk.query("host")), "");
    }
    FormData form = FormData.read(desk.visit().request());
    FormToken.check(form, desk.visit().formToken());
    Map<String, String> given = new LinkedHashMap<>();
    for (String each : FIELDS) {
      if (!form.get(each).isBlank()) {
        given.put(each, form.get(each).strip());
      }
    }
    return switch (desk.run(CREATE, given)) {
      case Outcome.Done<?>(Record result) -> made(desk, create.result().data(result), LIST);
      case Outcome.Refused<?> refused -> form(desk, 422, given, refused.text());
      case Outcome.Partly<?> _, Outcome.Started<?> _, Outcome.Following<?> _ ->
          HttpResponse.redirect(303, LIST);
    };
  }

  private Frame frame(Desk desk) {
    return pages.frame(desk, desk.text("do.invitation.create"), LIST);
  }

  private HttpResponse form(Desk desk, int status, Map<String, String> given, String problem) {
    List<FormField> fields = new ArrayList<>();
    for (String each : FIELDS) {
      boolean host = each.equals("host");
      fields.add(
          new FormField(
              each,
              desk.text("invite." + each),
              desk.text("invite." + each + ".about"),
              host ? Kind.CHOICE : Kind.TEXT,
              given.getOrDefault(each, ""),
              host ? FormField.Option.of(desk.hosts()) : List.of(),
              host,
              false));
    }
    Form form =
        new Form(PATH, true, fields, List.of(), desk.text("do.invitation.create"), "", problem);
    return pages
        .templates()
        .page(status, "operation", frame(desk), Map.of("form", form, "sections", List.of()));
  }

  /// The page of an invitation that was just made.
  ///
  /// @param made the result of the operation as plain data
  /// @param back where the reader goes afterwards
  HttpResponse made(Desk desk, Map<String, @Nullable Object> made, String back) {
    String page = Health.string(made, "page");
    String link = page.isEmpty() ? Health.string(made, "uri") : page;
    Map<?, ?> invitation = Health.member(made, "invitation");
    List<Fact> facts = new ArrayList<>();
    String username = Health.string(invitation, "username");
    if (!username.isEmpty()) {
      facts.add(new Fact(desk.text("invite.username"), Cell.of(username)));
    }
    facts.add(
        new Fact(
            desk.text("column.expires"),
            desk.values().time(Instant.parse(Health.string(invitation, "expires")))));
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("link", link);
    parameters.put("uri", page.isEmpty() ? "" : Health.string(made, "uri"));
    parameters.put("facts", facts);
    QrCode code = QrCode.of(link);
    if (code != null) {
      parameters.put("code", code);
    }
    parameters.put(
        "links",
        List.of(
            Link.to(desk.text("invite.another"), PATH), Link.to(desk.text("invite.back"), back)));
    return pages.templates().page(200, "invitation", frame(desk), parameters);
  }
}
