package im.zonda.web.account;

import im.zonda.account.AccountRegistration;
import im.zonda.account.PasswordLogin.Reason;
import im.zonda.account.PasswordLogin.Result;
import im.zonda.account.PasswordProblem;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.FormData;
import im.zonda.http.page.SessionCookie;
import im.zonda.web.login.LoginSession;
import im.zonda.web.page.Markup;
import im.zonda.web.page.Site;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The page to change the password. The old one is asked for, so that a browser that was left open
/// is not enough; all sessions of pages end, and this browser gets a new one.
///
/// @param site what all pages share
/// @param parts what the host has
/// @param cookie the cookie of sessions
record PasswordPage(Site site, AccountPages.Parts parts, SessionCookie cookie) {
  private static final Logger LOG = LoggerFactory.getLogger(PasswordPage.class);

  /// Asks for the passwords.
  ///
  /// @param problem why they were refused before; null if they were not
  HttpResponse show(Visit visit, @Nullable String problem) {
    Markup body = visit.begin("password", problem);
    visit.form(body, "password");
    Visit.password(body, visit.page(), "old", "account.password.old", "current-password");
    Visit.password(body, visit.page(), "new", "account.password.new", "new-password");
    Visit.password(body, visit.page(), "again", "account.password.again", "new-password");
    body.tag("<p class=\"hint\">").text(visit.text("account.password.hint")).tag("</p>\n");
    body.tag("<button>").text(visit.text("account.password.change")).tag("</button>\n</form>\n");
    return visit.response(problem == null ? 200 : 422, "password", body);
  }

  /// Takes the form.
  HttpResponse submit(Visit visit, FormData form) {
    String password = form.get("new");
    if (!password.equals(form.get("again"))) {
      return show(visit, visit.text("account.problem.not-the-same"));
    }
    if (password.isEmpty()) {
      return show(visit, visit.text("account.problem.empty"));
    }
    return parts
        .signIn()
        .check(
            visit.request(),
            String.valueOf(visit.account().local()),
            form.get("old"),
            result ->
                switch (result) {
                  case Result.Proved _ -> change(visit, password);
                  case Result.Refused(Reason reason) -> show(visit, problem(visit, reason));
                });
  }

  /// Why the password of someone who has signed in was refused.
  static String problem(Visit visit, Reason reason) {
    return visit.text(reason == Reason.WRONG ? "account.problem.old" : SignInPage.problem(reason));
  }

  private HttpResponse change(Visit visit, String password) {
    return switch (parts.accounts().changePassword(visit.account(), password)) {
      case AccountRegistration.Result.Done _ -> changed(visit);
      case AccountRegistration.Result.InvalidPassword invalid ->
          show(visit, problem(visit, invalid.problem()));
      case AccountRegistration.Result.KeptElsewhere _ ->
          show(visit, visit.text("account.problem.elsewhere"));
      case AccountRegistration.Result.NoAccount _,
          AccountRegistration.Result.AddressTaken _,
          AccountRegistration.Result.NoPermission _ ->
          show(visit, visit.text("account.problem.unavailable"));
    };
  }

  private String problem(Visit visit, PasswordProblem problem) {
    return visit.text(
        "problem.password-" + problem.name().toLowerCase(Locale.ROOT).replace('_', '-'),
        Integer.toString(site.signUp().minPasswordLength()));
  }

  private HttpResponse changed(Visit visit) {
    LOG.atInfo()
        .addKeyValue("jid", visit.account())
        .addKeyValue("address", visit.request().remoteAddress().getHostAddress())
        .log("password_changed");
    parts.sessions().closeAll(visit.account());
    String mark = parts.signIn().passwords().mark(visit.account());
    HttpResponse response = Visit.unstored(Visit.done("password", "password"));
    if (mark == null) {
      return cookie.clear(visit.request(), response); // disabled or removed meanwhile
    }
    LoginSession session = parts.sessions().open(visit.account(), mark);
    return cookie.set(visit.request(), response, session.token());
  }
}
