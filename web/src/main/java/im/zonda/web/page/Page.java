package im.zonda.web.page;

import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.Language;
import im.zonda.http.page.Texts;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The frame of a page: head, banner and foot.
///
/// @param look what the server looks like
/// @param language of the reader
public record Page(Look look, Language language) {
  /// The page that explains the chat.
  public static final String HELP = "/help";

  private static final String POLICY =
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self';"
          + " manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'";

  /// Added for a page with a script, which may also ask this server.
  private static final String WITH_SCRIPT = "; script-src 'self'; connect-src 'self'";

  /// What a page says in its head.
  ///
  /// @param title of the page
  /// @param preview what other programs show of a link to it; null for nothing
  /// @param script the path of a module of JavaScript; null if it has none
  public record Head(String title, @Nullable Preview preview, @Nullable String script) {}

  /// The frame for a request.
  public static Page of(Look look, HttpRequest request, Texts texts) {
    return new Page(look, texts.of(request.header("Accept-Language")));
  }

  /// A text of the page.
  public String text(String key, String... values) {
    return language.text(key, values);
  }

  /// Adds the icon and colour of the page, and what a browser needs to install the chat.
  public void addApp(Markup html) {
    html.tag("<link rel=\"icon\" href=\"/web/picture\">\n");
    html.tag("<link rel=\"apple-touch-icon\" href=\"/web/picture\">\n");
    html.tag("<link rel=\"manifest\" href=\"/web/manifest.webmanifest\">\n");
    html.tag("<meta name=\"theme-color\"").attribute("content", look.color()).tag(">\n");
  }

  /// The page as a response, which no cache keeps for another reader.
  public HttpResponse response(int status, String title, Markup body) {
    return response(status, new Head(title, null, null), body);
  }

  /// The same with more in its head.
  public HttpResponse response(int status, Head head, Markup body) {
    Markup html = new Markup();
    html.tag("<!DOCTYPE html>\n<html").attribute("lang", language.code()).tag(">\n<head>\n");
    html.tag("<meta charset=\"utf-8\">\n");
    html.tag("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.element("title", head.title).tag("\n");
    if (head.preview != null) {
      head.preview.add(html, head.title, look.title());
    }
    if (head.script != null) {
      html.tag("<script type=\"module\"").attribute("src", head.script).tag("></script>\n");
    }
    html.tag("<link rel=\"stylesheet\" href=\"/web/style.css\">\n");
    addApp(html);
    html.tag("</head>\n<body>\n<header><a href=\"/\">");
    html.tag("<img src=\"/web/picture\" alt=\"\" width=\"48\" height=\"48\">");
    html.element("span", look.title()).tag("</a></header>\n<main>\n");
    html.tag(body.toString()).tag("</main>\n<footer>").text(text("foot")).tag(" ");
    html.link(HELP, text("help.title")).tag("</footer>\n</body>\n</html>\n");
    return HttpResponse.bytes(
            status, "text/html; charset=utf-8", html.toString().getBytes(StandardCharsets.UTF_8))
        .with("Content-Security-Policy", head.script == null ? POLICY : POLICY + WITH_SCRIPT)
        .with("Referrer-Policy", "no-referrer")
        .with("Cache-Control", "private, no-cache")
        .with("Vary", "Accept-Language");
  }
}
