package im.zonda.web.account;

import im.zonda.http.HttpException;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.jid.Jid;
import im.zonda.web.login.LoginSession;
import im.zonda.web.page.Markup;
import im.zonda.web.page.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A request of someone who has signed in, and the frame of the page that answers it.
///
/// @param request the request
/// @param session who has sent it
/// @param page the frame
/// @param pages the pages that there are, in the order of the navigation
record Visit(HttpRequest request, LoginSession session, Page page, List<String> pages) {
  /// The folder of the pages.
  static final String FOLDER = "/account";

  /// The parameter that says what was done before the page was opened.
  private static final String DONE = "done";

  /// What may have been done; the keys of the texts that say so.
  private static final Set<String> DEEDS =
      Set.of("saved", "password", "device", "device-password", "device-gone");

  Jid account() {
    return session.account();
  }

  String text(String key, String... values) {
    return page.text(key, values);
  }

  /// The path of a page.
  static String path(String page) {
    return page.equals("profile") ? FOLDER : FOLDER + "/" + page;
  }

  /// Sends the browser to a page that says what was done.
  static HttpResponse done(String page, String deed) {
    return HttpResponse.redirect(303, path(page) + "?" + DONE + "=" + deed);
  }

  /// The beginning of a page: the navigation, its title, and what was done or is wrong.
  ///
  /// @param current the page
  /// @param problem a sentence; null for none
  Markup begin(String current, @Nullable String problem) {
    Markup body = new Markup();
    body.tag("<div class=\"account\">\n<p class=\"who\">").text(account().toString());
    body.tag("</p>\n<form method=\"post\" action=\"/account/sign-out\">\n");
    body.formToken(session.formToken());
    body.tag("<button class=\"second\">").text(text("account.sign-out"));
    body.tag("</button>\n</form>\n</div>\n<nav").attribute("aria-label", text("account.title"));
    body.tag(">\n<ul class=\"tabs\">\n");
    for (String each : pages) {
      body.tag("<li><a").attribute("href", path(each));
      body.tag(each.equals(current) ? " aria-current=\"page\">" : ">");
      body.text(text("account." + each)).tag("</a></li>\n");
    }
    body.tag("</ul>\n</nav>\n").element("h1", text("account." + current)).tag("\n");
    String deed = request.query().get(DONE);
    if (problem != null) {
      body.tag("<p class=\"problem\" id=\"problem\" role=\"alert\">").text(problem).tag("</p>\n");
    } else if (deed != null && DEEDS.contains(deed)) {
      body.tag("<p class=\"done\" role=\"status\">").text(text("account.done." + deed));
      body.tag("</p>\n");
    }
    return body;
  }

  /// Begins a form that is sent to a page.
  void form(Markup body, String action) {
    body.tag("<form method=\"post\"").attribute("action", FOLDER + "/" + action).tag(">\n");
    body.formToken(session.formToken());
  }

  /// Adds a field for a password.
  ///
  /// @param label the key of its text
  /// @param kind what the browser fills in: `current-password` or `new-password`
  static void password(Markup body, Page page, String name, String label, String kind) {
    body.tag("<label").attribute("for", name).tag(">").text(page.text(label)).tag("</label>\n");
    body.tag("<input type=\"password\" required maxlength=\"1023\"").attribute("id", name);
    body.attribute("name", name).attribute("autocomplete", kind).tag(">\n");
  }

  /// The page as a response.
  HttpResponse response(int status, String current, Markup body) {
    String title = text("account." + current) + " · " + page.look().title();
    return unstored(page.response(status, title, body));
  }

  /// Has the browser forget the pages of the account, to which it could go back otherwise: they are
  /// kept in memory, also those that no cache may keep. The header field counts when this page is
  /// shown already, so it comes with an empty style sheet.
  static void forgetPages(Markup body) {
    body.tag("<link rel=\"stylesheet\" href=\"/account/forget.css\">\n");
  }

  /// What [#forgetPages] loads; pages of other sites clear nothing.
  static HttpResponse forgetting(HttpRequest request) {
    if (!"same-origin".equals(request.header("Sec-Fetch-Site"))) {
      throw new HttpException(403, "this is for the pages of the account");
    }
    return unstored(HttpResponse.bytes(200, "text/css; charset=utf-8", new byte[0]))
        .with("Clear-Site-Data", "\"cache\"");
  }

  /// The same response, which no cache keeps, not even that of the browser.
  static HttpResponse unstored(HttpResponse response) {
    List<HttpResponse.Header> headers = new ArrayList<>(response.headers());
    headers.removeIf(each -> each.name().equalsIgnoreCase("Cache-Control"));
    return new HttpResponse(response.status(), headers, response.content())
        .with("Cache-Control", "no-store");
  }
}
