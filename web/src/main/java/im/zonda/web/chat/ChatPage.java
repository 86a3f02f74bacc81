package im.zonda.web.chat;

import im.zonda.http.HttpHandler;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.web.page.Markup;
import im.zonda.web.page.Page;
import im.zonda.web.page.Site;
import java.nio.charset.StandardCharsets;

/// The page `/chat/`: converse.js, with this host as its server.
///
/// Its policy allows scripts, connections and pictures of this server only. converse.js sets styles
/// at elements, and its encryption is compiled by the browser (`wasm-unsafe-eval`).
///
/// @param site what all pages share
/// @param files of converse.js
/// @param settings the settings of the chat
public record ChatPage(Site site, ChatFiles files, Settings settings) implements HttpHandler {
  private static final String POLICY =
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline';"
          + " img-src 'self' data: blob:; media-src 'self' blob:; font-src 'self';"
          + " connect-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'self';"
          + " frame-ancestors 'none'; base-uri 'none'";

  /// The settings of the chat.
  ///
  /// @param rooms the domain of the rooms
  /// @param guests whether people may enter without an account
  /// @param files what the URLs of this host's files begin with
  public record Settings(String rooms, boolean guests, String files) {}

  @Override
  public HttpResponse handle(HttpRequest request) {
    Page page = site.page(request);
    Markup html = new Markup();
    html.tag("<!DOCTYPE html>\n<html").attribute("lang", page.language().code());
    html.tag(">\n<head>\n<meta charset=\"utf-8\">\n");
    html.tag("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.element("title", page.text("chat.title", page.look().title()));
    html.tag("\n");
    page.addApp(html);
    html.tag("<link rel=\"stylesheet\"");
    html.attribute("href", files.folder() + "converse.min.css").tag(">\n");
    html.tag("<link rel=\"stylesheet\" href=\"/web/colors.css\">\n");
    html.tag("<link rel=\"stylesheet\" href=\"/web/chat/chat.css\">\n</head>\n");
    html.tag("<body class=\"converse-fullscreen\"");
    html.attribute("data-domain", site.domain());
    html.attribute("data-rooms", settings.rooms());
    html.attribute("data-guests", Boolean.toString(settings.guests()));
    html.attribute("data-files", settings.files());
    html.attribute("data-sign-in", page.text("start.chat"));
    html.attribute("data-guests-text", page.text("start.guest"));
    html.attribute("data-register", Boolean.toString(site.signUp().isOpen()));
    html.attribute("data-register-text", page.text("start.register"));
    html.attribute("data-title", page.look().title());
    html.attribute("data-assets", files.folder());
    for (String key : page.language().keys("chat.")) {
      html.attribute(
          "data-" + key.replace('.', '-'), page.language().text(key, page.look().title()));
    }
    html.tag(">\n<noscript><p>").text(page.text("chat.noscript")).tag("</p></noscript>\n");
    html.tag("<script type=\"module\"");
    html.attribute("src", files.folder() + "converse.min.js").tag("></script>\n");
    html.tag("<script type=\"module\" src=\"/web/chat/start.js\"></script>\n</body>\n</html>\n");
    return HttpResponse.bytes(
            200, "text/html; charset=utf-8", html.toString().getBytes(StandardCharsets.UTF_8))
        .with("Content-Security-Policy", POLICY)
        .with("Referrer-Policy", "no-referrer")
        .with("Cache-Control", "private, no-cache")
        .with("Vary", "Accept-Language");
  }
}
