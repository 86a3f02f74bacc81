package im.zonda.console.plugin;

import im.zonda.console.page.ConsolePages;
import im.zonda.console.page.Desk;
import im.zonda.console.page.Pages;
import im.zonda.console.page.Places;
import im.zonda.console.view.Form;
import im.zonda.console.view.FormField;
import im.zonda.console.view.FormField.Kind;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.FormToken;
import im.zonda.http.page.MultipartForm;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import java.io.IOException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Adds a plugin, or another version of one, from a jar that the browser sends.
///
/// @param pages what pages have in common
record PluginAddPage(Pages pages) implements ConsolePages.FormPage {
  private static final String ADD = "plugin.add";
  private static final String JAR = "jar";
  private static final String HASH = "sha256";

  /// What the operation takes at most.
  private static final int MOST_BYTES = 12 << 20;

  @Override
  public HttpResponse answer(Desk desk, boolean posted) throws IOException {
    Operation<?, ?> add = desk.find(ADD);
    if (add == null) {
      return pages.missing(desk);
    }
    if (!desk.may(add)) {
      return pages.forbidden(desk, add);
    }
    if (!posted) {
      return form(desk, 200, "", "");
    }
    MultipartForm form = MultipartForm.read(desk.visit().request(), MOST_BYTES);
    FormToken.check(form.data(), desk.visit().formToken());
    String hash = form.data().get(HASH).strip();
    byte[] jar = form.file(JAR);
    if (form.tooLarge()) {
      return form(desk, 422, hash, desk.text("plugin.jar.large"));
    }
    if (jar == null) {
      return form(desk, 422, hash, desk.text("plugin.jar.none"));
    }
    Map<String, String> input = new LinkedHashMap<>();
    input.put(JAR, Base64.getEncoder().encodeToString(jar));
    if (!hash.isEmpty()) {
      input.put(HASH, hash);
    }
    return switch (desk.run(ADD, input)) {
      case Outcome.Done<?>(Record result) -> {
        Map<String, String> to = new LinkedHashMap<>();
        to.put(
            PluginPage.PLUGIN, Objects.toString(add.result().get(result, PluginPage.PLUGIN), ""));
        to.put(Pages.DONE, ADD);
        yield HttpResponse.redirect(303, Desk.url(Places.PLUGIN, to));
      }
      case Outcome.Refused<?> refused ->
          refused.reason() == Outcome.Reason.FORBIDDEN
              ? pages.refused(desk, refused)
              : form(desk, 422, hash, refused.text());
      case Outcome.Partly<?> _, Outcome.Started<?> _, Outcome.Following<?> _ -> pages.missing(desk);
    };
  }

  private HttpResponse form(Desk desk, int status, String hash, String problem) {
    FormField jar =
        new FormField(
            JAR,
            desk.text("plugin.jar"),
            desk.text("plugin.jar.about"),
            Kind.FILE,
            ".jar",
            List.of(),
            true,
            !problem.isEmpty());
    FormField pinned =
        new FormField(
            HASH,
            desk.text("plugin.hash"),
            desk.text("plugin.hash.about"),
            Kind.TEXT,
            hash,
            List.of(),
            false,
            false);
    return pages
        .templates()
        .page(
            status,
            "upload",
            pages.frame(desk, desk.text("plugin.add.title"), PluginPage.LIST),
            Map.of(
                "note",
                desk.text("plugin.trust"),
                "form",
                new Form(
                    Places.PLUGIN_ADD,
                    true,
                    List.of(jar, pinned),
                    List.of(),
                    desk.text("plugin.add.submit"),
                    "",
                    problem)));
  }
}
