package im.zonda.web.account;

import im.zonda.account.PasswordLogin.Reason;
import im.zonda.account.PasswordLogin.Result;
import im.zonda.http.HttpException;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.FormData;
import im.zonda.http.page.FormToken;
import im.zonda.http.page.SessionCookie;
import im.zonda.web.login.LoginSession;
import im.zonda.web.page.Markup;
import im.zonda.web.page.Page;
import im.zonda.web.page.Site;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The page `/account` for those who have not signed in.
///
/// The browser gets a cookie with the form, so that only a form of this page signs someone in:
/// another site cannot sign people in to an account of its own. A session always has a new cookie.
///
/// @param site what all pages share
/// @param parts what the host has
/// @param cookie the cookie of sessions
record SignInPage(Site site, AccountPages.Parts parts, SessionCookie cookie) {
  private static final Logger LOG = LoggerFactory.getLogger(SignInPage.class);
  private static final SessionCookie FORM_COOKIE = new SessionCookie("account-form", Visit.FOLDER);

  /// What a browser may have of the form's cookie; anything else is replaced.
  private static final int COOKIE_LENGTH = 64;

  /// Asks for name and password.
  HttpResponse show(HttpRequest request) {
    return show(request, "", null);
  }

  /// @param problem why it was refused before; the key of a text, or null
  private HttpResponse show(HttpRequest request, String name, @Nullable String problem) {
    Page page = site.page(request);
    Markup body = new Markup().element("h1", page.text("account.title")).tag("\n");
    if (!Site.isPrivate(request)) {
      body.element("p", page.text("account.insecure"));
      return response(page, 403, body);
    }
    if ("signed-out".equals(request.query().get("done"))) {
      body.tag("<p class=\"done\" role=\"status\">").text(page.text("account.done.signed-out"));
      body.tag("</p>\n");
      Visit.forgetPages(body);
    }
    body.element("p", page.text("account.lead", site.domain())).tag("\n");
    body.tag("<form method=\"post\" action=\"/account/sign-in\">\n");
    if (problem != null) {
      body.tag("<p class=\"problem\" role=\"alert\">").text(page.text(problem)).tag("</p>\n");
    }
    String known = FORM_COOKIE.read(request);
    String value =
        known == null || known.isEmpty() || known.length() > COOKIE_LENGTH
            ? parts.ids().next()
            : known;
    body.formToken(FormToken.of(value));
    body.tag("<label for=\"name\">").text(page.text("form.name")).tag("</label>\n");
    body.tag("<input id=\"name\" name=\"name\" autocomplete=\"username\" autocapitalize=\"none\"");
    body.tag(" spellcheck=\"false\" required maxlength=\"1023\"").attribute("value", name);
    body.tag(name.isEmpty() ? " autofocus>\n" : ">\n");
    Visit.password(body, page, "password", "form.password", "current-password");
    body.tag("<button>").text(page.text("account.sign-in")).tag("</button>\n</form>\n");
    HttpResponse response = response(page, problem == null ? 200 : 422, body);
    return value.equals(known) ? response : FORM_COOKIE.set(request, response, value);
  }

  private static HttpResponse response(Page page, int status, Markup body) {
    String title = page.text("account.title") + " · " + page.look().title();
    return Visit.unstored(page.response(status, title, body));
  }

  /// Signs someone in.
  HttpResponse submit(HttpRequest request) throws IOException {
    if (!Site.isPrivate(request)) {
      return show(request);
    }
    FormData form = FormData.read(request);
    String value = FORM_COOKIE.read(request);
    String name = form.get("name");
    if (value == null) {
      return show(request, name, "account.problem.cookie");
    }
    try {
      FormToken.check(form, FormToken.of(value));
    } catch (HttpException e) {
      return show(request, name, "account.problem.cookie");
    }
    return parts
        .signIn()
        .check(
            request,
            name,
            form.get("password"),
            result ->
                switch (result) {
                  case Result.Proved proved -> signedIn(request, proved);
                  case Result.Refused(Reason reason) -> show(request, name, problem(reason));
                });
  }

  private HttpResponse signedIn(HttpRequest request, Result.Proved proved) {
    LoginSession before = parts.sessions().find(parts.host(), cookie.read(request));
    if (before != null) {
      parts.sessions().close(before);
    }
    LoginSession session = parts.sessions().open(proved.account(), proved.mark());
    LOG.atInfo()
        .addKeyValue("jid", session.account())
        .addKeyValue("address", request.remoteAddress().getHostAddress())
        .log("page_signed_in");
    HttpResponse response = Visit.unstored(HttpResponse.redirect(303, Visit.FOLDER));
    return FORM_COOKIE.clear(request, cookie.set(request, response, session.token()));
  }

  /// The key of the text that says why a password was refused.
  static String problem(Reason reason) {
    return "account.problem." + reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
