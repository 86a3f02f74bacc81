package im.zonda.web;

import im.zonda.http.HttpHandler;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.web.page.Device;
import im.zonda.web.page.Markup;
import im.zonda.web.page.Page;
import im.zonda.web.page.Site;
import java.util.List;

/// The page `/help`: what the chat in the browser does, what it does not, and which apps do.
///
/// @param site what all pages share
record HelpPage(Site site) implements HttpHandler {
  /// Something that the chat in the browser does not have.
  ///
  /// @param key of its text
  /// @param apps that have it
  private record Missing(String key, List<String> apps) {}

  private static final List<Missing> MISSING =
      List.of(
          new Missing("help.voice", List.of("Conversations", "Cheogram", "Monal")),
          new Missing("help.calls", List.of("Conversations", "Cheogram", "Dino", "Monal")),
          new Missing("help.search", List.of("Conversations", "Dino", "Gajim")),
          new Missing("help.push", List.of("Conversations", "Cheogram", "Monal", "Siskin IM")));

  @Override
  public HttpResponse handle(HttpRequest request) {
    Page page = site.page(request);
    Markup body = new Markup();
    body.element("h1", page.text("help.title")).tag("\n");
    if (site.hasChat()) {
      addChat(body, page);
    }
    body.tag("<section>\n").element("h2", page.text("start.clients")).tag("\n");
    body.element("p", page.text("start.clients.text", site.domain()));
    Device.of(request.header("User-Agent")).list(body, page);
    body.tag("</section>\n");
    return page.response(200, page.text("help.title") + " · " + page.look().title(), body);
  }

  private static void addChat(Markup body, Page page) {
    for (String part : List.of("help.chat", "help.encryption", "help.install")) {
      body.tag("<section>\n").element("h2", page.text(part)).tag("\n");
      body.element("p", page.text(part + ".text")).tag("</section>\n");
    }
    body.tag("<section>\n").element("h2", page.text("help.missing")).tag("\n");
    body.element("p", page.text("help.missing.text")).tag("\n<dl>\n");
    for (Missing each : MISSING) {
      body.element("dt", page.text(each.key)).tag("\n");
      body.element("dd", String.join(", ", each.apps)).tag("\n");
    }
    body.tag("</dl>\n").element("p", page.text("help.push.text")).tag("</section>\n");
  }
}
