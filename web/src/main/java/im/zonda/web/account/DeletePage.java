package im.zonda.web.account;

import im.zonda.account.AccountRegistration;
import im.zonda.account.PasswordLogin.Reason;
import im.zonda.account.PasswordLogin.Result;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.FormData;
import im.zonda.http.page.SessionCookie;
import im.zonda.web.page.Markup;
import im.zonda.web.page.Page;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The page to delete the account, as its clients can (XEP-0077, section 3.2). The password is
/// asked for.
///
/// @param parts what the host has
/// @param cookie the cookie of sessions
record DeletePage(AccountPages.Parts parts, SessionCookie cookie) {
  private static final Logger LOG = LoggerFactory.getLogger(DeletePage.class);

  /// What is deleted; the ends of the keys of the texts.
  private static final List<String> GOES = List.of("contacts", "messages", "files", "address");

  /// Says what is deleted, and asks for the password.
  ///
  /// @param problem why it was refused before; null if it was not
  HttpResponse show(Visit visit, @Nullable String problem) {
    Markup body = visit.begin("delete", problem);
    body.element("p", visit.text("account.delete.lead", visit.account().toString()));
    body.tag("\n<ul>\n");
    for (String each : GOES) {
      body.element("li", visit.text("account.delete." + each)).tag("\n");
    }
    body.tag("</ul>\n<p>").text(visit.text("account.delete.stays")).tag(" ");
    body.link(Visit.path("export"), visit.text("account.delete.export")).tag("</p>\n");
    visit.form(body, "delete");
    Visit.password(body, visit.page(), "password", "form.password", "current-password");
    body.tag("<button class=\"danger\">").text(visit.text("account.delete.button"));
    body.tag("</button>\n</form>\n");
    return visit.response(problem == null ? 200 : 422, "delete", body);
  }

  /// Takes the form.
  HttpResponse submit(Visit visit, FormData form) {
    return parts
        .signIn()
        .check(
            visit.request(),
            String.valueOf(visit.account().local()),
            form.get("password"),
            result ->
                switch (result) {
                  case Result.Proved _ -> delete(visit);
                  case Result.Refused(Reason reason) ->
                      show(visit, PasswordPage.problem(visit, reason));
                });
  }

  private HttpResponse delete(Visit visit) {
    parts.sessions().closeAll(visit.account());
    if (!(parts.accounts().remove(visit.account()) instanceof AccountRegistration.Result.Done)) {
      return show(visit, visit.text("account.problem.unavailable"));
    }
    LOG.atInfo()
        .addKeyValue("jid", visit.account())
        .addKeyValue("address", visit.request().remoteAddress().getHostAddress())
        .log("account_removed");
    parts.forget().accept(visit.account());
    Page page = visit.page();
    Markup body = new Markup().element("h1", page.text("account.deleted")).tag("\n");
    body.element("p", page.text("account.deleted.text", visit.account().toString()));
    Visit.forgetPages(body);
    return cookie.clear(
        visit.request(),
        Visit.unstored(
            page.response(200, page.text("account.deleted") + " · " + page.look().title(), body)));
  }
}
