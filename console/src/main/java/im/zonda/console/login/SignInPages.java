package im.zonda.console.login;

import im.zonda.account.PasswordLogin;
import im.zonda.account.PasswordLogin.Attempt;
import im.zonda.account.PasswordLogin.Reason;
import im.zonda.account.PasswordLogin.Result;
import im.zonda.console.factor.Factors;
import im.zonda.console.factor.PasskeyAnswer;
import im.zonda.console.factor.Seal;
import im.zonda.console.view.Frame;
import im.zonda.console.view.Templates;
import im.zonda.http.HttpException;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.FormData;
import im.zonda.http.page.FormToken;
import im.zonda.http.page.Language;
import im.zonda.http.page.SessionCookie;
import im.zonda.http.page.Texts;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.operation.Caller;
import im.zonda.operation.Grant;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The pages for those who have not signed in: name and password of an administrator, or a one-time
/// link.
///
/// The browser gets a cookie with the form, so that only a form of these pages signs someone in. A
/// session always has a new cookie. The secret of a link is behind the `#` of its address, which
/// browsers do not send; a script puts it into the form, or people do.
public final class SignInPages {
  /// Where the pages are.
  public static final String FOLDER = "/admin/";

  /// The page of names and passwords.
  public static final String SIGN_IN = FOLDER + "sign-in";

  /// Where the second step is sent.
  public static final String CODE = SIGN_IN + "/code";

  /// Where a passkey is sent.
  public static final String PASSKEY = SIGN_IN + "/passkey";

  /// The page of one-time links.
  public static final String LINK = FOLDER + "link";

  private static final Logger LOG = LoggerFactory.getLogger(SignInPages.class);
  private static final SessionCookie COOKIE = new SessionCookie("zonda-admin", "/");
  private static final SessionCookie FORM_COOKIE = new SessionCookie("zonda-admin-form", "/");
  private static final int COOKIE_LENGTH = 64;
  private static final int MOST_NAME = 1_023;

  /// What the pages need.
  ///
  /// @param links the one-time links
  /// @param sessions the sessions of the console
  /// @param administrators what they may do
  /// @param passwords checks passwords
  /// @param protection what protects accounts besides passwords
  /// @param seal encrypts what forms carry
  /// @param label the word that every page shows
  public record Parts(
      OneTimeLinks links,
      AdminSessions sessions,
      Administrators administrators,
      PasswordLogin passwords,
      Protection protection,
      Seal seal,
      String label) {}

  private final Parts parts;
  private final Templates templates;
  private final Texts texts;
  private final SecondStep second;

  public SignInPages(Parts parts, Templates templates, Texts texts) {
    this.parts = parts;
    this.templates = templates;
    this.texts = texts;
    this.second = new SecondStep(parts.seal(), parts.protection().clock());
  }

  /// Who has sent a request; null if no one has signed in.
  ///
  /// @param used whether the request counts as a use of the session; one by which a page renews
  ///   itself does not
  public @Nullable Visit visit(HttpRequest request, boolean used) {
    String cookie = COOKIE.read(request);
    AdminSessions.Shown session =
        used ? parts.sessions().use(cookie) : parts.sessions().find(cookie);
    if (session == null || cookie == null) {
      return null;
    }
    Grant grant = parts.administrators().grant(session.identity());
    if (grant == null) {
      boolean _ = parts.sessions().end(session.id());
      return null;
    }
    Caller caller =
        new Caller(
            session.identity().name(),
            Caller.Via.CONSOLE,
            request.remoteAddress().getHostAddress(),
            grant);
    return new Visit(
        request, session.id(), cookie, session.identity().account(), caller, language(request));
  }

  private Language language(HttpRequest request) {
    return texts.of(request.header("Accept-Language"));
  }

  /// The page of names and passwords.
  public HttpResponse show(HttpRequest request) {
    String done = "signed-out".equals(request.query().get("done")) ? "signed-out" : "";
    return show(request, "sign-in", "", done, "");
  }

  /// The page of one-time links.
  public HttpResponse showLink(HttpRequest request) {
    return show(request, "link", "", "", "");
  }

  /// @param problem the key of the text that says why it was refused; empty if it was not
  private HttpResponse show(
      HttpRequest request, String template, String name, String done, String problem) {
    Language language = language(request);
    Administrators.Sso sso = parts.administrators().sso();
    String known = FORM_COOKIE.read(request);
    String value =
        known == null || known.isEmpty() || known.length() > COOKIE_LENGTH
            ? parts.sessions().newToken()
            : known;
    Map<String, String> parameters = new HashMap<>();
    parameters.put("name", name);
    parameters.put("problem", problem.isEmpty() ? "" : language.text(problem));
    if (template.equals("sign-in")) {
      parameters.putAll(passkeys(request, value));
      parameters.put("sso", sso == null ? "" : language.text("sign-in.sso", sso.client().label()));
    }
    HttpResponse page =
        templates.page(
            problem.isEmpty() ? 200 : 422,
            template,
            frame(language, value, done.isEmpty() ? "" : language.text("sign-in." + done)),
            parameters);
    return value.equals(known) ? page : FORM_COOKIE.set(request, page, value);
  }

  /// The page of names and passwords with what has become of another way.
  ///
  /// @param problem the key of the text that says why it was refused
  HttpResponse showProblem(HttpRequest request, String problem) {
    return show(request, "sign-in", "", "", problem);
  }

  /// The page that a browser gets from an issuer, and whose form it sends at once: the cookies of
  /// the console do not come with what another site has caused.
  HttpResponse showAnswer(HttpRequest request, String state, String code) {
    return templates.page(
        200, "sso", frame(language(request), "", ""), Map.of("state", state, "code", code));
  }

  /// The value by which the forms of a browser are known; null if it has none.
  static @Nullable String formCookie(HttpRequest request) {
    String value = FORM_COOKIE.read(request);
    return value == null || value.isEmpty() || value.length() > COOKIE_LENGTH ? null : value;
  }

  /// Sends a browser elsewhere that will be known again.
  ///
  /// @param cookie the value
  static HttpResponse redirect(HttpRequest request, String place, String cookie) {
    return FORM_COOKIE.set(request, HttpResponse.redirect(303, place), cookie);
  }

  private Frame frame(Language language, String cookie, String done) {
    return new Frame(
        language,
        language.text("sign-in.title"),
        parts.label(),
        "",
        List.of(),
        FormToken.of(cookie),
        "",
        done,
        0);
  }

  /// What a page asks a browser for a passkey; nothing where there are none.
  private Map<String, String> passkeys(HttpRequest request, String cookie) {
    String site = Protection.site(request);
    return site == null
        ? Map.of("challenge", "", "site", "")
        : Map.of("challenge", parts.protection().challenges().create(cookie), "site", site);
  }

  /// The page of the second step.
  ///
  /// @param problem the key of the text that says why it was refused; empty if it was not
  private HttpResponse ask(HttpRequest request, Identity.ByPassword identity, String problem) {
    Language language = language(request);
    String cookie = FORM_COOKIE.read(request);
    if (cookie == null) {
      return show(request, "sign-in", "", "", "sign-in.problem.form");
    }
    Factors.State state = parts.protection().factors().of(identity.account());
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("pending", second.of(identity, cookie));
    parameters.put("codes", state.codes() != null);
    parameters.put("problem", problem.isEmpty() ? "" : language.text(problem));
    parameters.putAll(
        state.passkeys().isEmpty()
            ? Map.of("challenge", "", "site", "")
            : passkeys(request, cookie));
    return templates.page(
        problem.isEmpty() ? 200 : 422, "second", frame(language, cookie, ""), parameters);
  }

  /// Signs in by name and password.
  public HttpResponse submit(HttpRequest request) throws IOException {
    FormData form = form(request);
    String name = form == null ? "" : form.get("name").strip();
    if (form == null || name.length() > MOST_NAME) {
      return show(request, "sign-in", "", "", "sign-in.problem.form");
    }
    Jid address = address(name);
    if (address == null) {
      return show(request, "sign-in", name, "", "sign-in.problem.address");
    }
    Attempt attempt =
        new Attempt(
            address.domainJid(),
            String.valueOf(address.local()),
            form.get("password"),
            request.remoteAddress());
    request.waitsForEvents();
    return HttpResponse.later(answer ->
        parts.passwords().check(attempt, result -> answer.accept(answer(request, name, result))));
  }

  private HttpResponse answer(HttpRequest request, String name, Result result) {
    try {
      return switch (result) {
        case Result.Proved(Jid account, String mark) ->
            parts.administrators().grant(account) == null
                ? show(request, "sign-in", name, "", "sign-in.problem.no-administrator")
                : proved(request, new Identity.ByPassword(account, mark));
        case Result.Refused(Reason reason) ->
            show(request, "sign-in", name, "", "sign-in.problem." + word(reason));
      };
    } catch (RuntimeException e) {
      LOG.atError().setCause(e).log("console_login_failed");
      return show(request, "sign-in", name, "", "sign-in.problem." + word(Reason.UNAVAILABLE));
    }
  }

  private HttpResponse proved(HttpRequest request, Identity.ByPassword identity) {
    return parts.protection().factors().of(identity.account()).any()
        ? ask(request, identity, "")
        : signIn(request, identity);
  }

  /// Signs in by the code that follows the password.
  public HttpResponse submitCode(HttpRequest request) throws IOException {
    FormData form = form(request);
    String cookie = FORM_COOKIE.read(request);
    Identity.ByPassword identity =
        form == null || cookie == null ? null : second.read(form.get("pending"), cookie);
    if (form == null || identity == null || parts.administrators().grant(identity) == null) {
      return show(request, "sign-in", "", "", "sign-in.problem.form");
    }
    return switch (parts.protection().factors().prove(identity.account(), form.get("code"))) {
      case RIGHT -> signIn(request, identity);
      case WRONG -> {
        refused(request, identity.name(), "code");
        yield ask(request, identity, "second.problem.wrong");
      }
      case TOO_MANY -> ask(request, identity, "second.problem.too-many");
    };
  }

  private static void refused(HttpRequest request, String name, String way) {
    LOG.atInfo()
        .addKeyValue("name", name)
        .addKeyValue("way", way)
        .addKeyValue("address", request.remoteAddress().getHostAddress())
        .log("console_factor_refused");
  }

  /// Signs in by a passkey.
  public HttpResponse submitPasskey(HttpRequest request) throws IOException {
    FormData form = form(request);
    String cookie = FORM_COOKIE.read(request);
    PasskeyAnswer answer = form == null ? null : Protection.answer(form);
    if (form == null || cookie == null || answer == null) {
      return show(request, "sign-in", "", "", "sign-in.problem.form");
    }
    Identity identity = bearer(request, form, answer, cookie);
    if (identity == null) {
      refused(request, "", "passkey");
      return show(request, "sign-in", "", "", "sign-in.problem.passkey");
    }
    return parts.administrators().grant(identity) == null
        ? show(request, "sign-in", "", "", "sign-in.problem.no-administrator")
        : signIn(request, identity);
  }

  /// The bearer of a passkey; null if nothing is proved, or the account is disabled.
  private @Nullable Identity bearer(
      HttpRequest request, FormData form, PasskeyAnswer answer, String cookie) {
    Protection protection = parts.protection();
    PasskeyAnswer.Question question = Protection.question(request, form);
    Factors.Owned owned = protection.factors().find(answer.id());
    if (owned == null || question == null) {
      return null;
    }
    String mark = parts.passwords().mark(owned.account());
    long counter = answer.proves(question, owned.passkey());
    // Last: only who has a passkey can have something written here.
    if (mark == null
        || counter < 0
        || !protection.challenges().take(question.challenge(), cookie)) {
      return null;
    }
    protection.factors().used(owned, counter);
    return new Identity.ByPasskey(owned.account(), mark);
  }

  private static String word(Reason reason) {
    return switch (reason) {
      case WRONG -> "wrong";
      case DISABLED -> "disabled";
      case TOO_MANY -> "too-many";
      case UNAVAILABLE -> "unavailable";
    };
  }

  /// The address that was entered, of a host of this server; null if it is none.
  private @Nullable Jid address(String name) {
    try {
      Jid address = Jid.of(name);
      boolean local = parts.administrators().hosts().get().contains(address.domain());
      return address.isBare() && address.local() != null && local ? address : null;
    } catch (JidFormatException e) {
      return null;
    }
  }

  /// Signs in by the secret of a one-time link.
  public HttpResponse submitLink(HttpRequest request) throws IOException {
    FormData form = form(request);
    if (form == null) {
      return show(request, "link", "", "", "sign-in.problem.form");
    }
    // People may paste the whole address.
    String entered = form.get("code").strip();
    OneTimeLinks.Bearer bearer =
        parts.links().take(entered.substring(entered.lastIndexOf('#') + 1));
    if (bearer == null) {
      LOG.atInfo()
          .addKeyValue("address", request.remoteAddress().getHostAddress())
          .log("console_link_refused");
      return show(request, "link", "", "", "sign-in.problem.link");
    }
    return signIn(request, new Identity.ByLink(bearer.name(), bearer.grant()));
  }

  /// What was sent; null if it does not come from these pages.
  private static @Nullable FormData form(HttpRequest request) throws IOException {
    FormData form = FormData.read(request);
    String value = FORM_COOKIE.read(request);
    if (value == null) {
      return null;
    }
    try {
      FormToken.check(form, FormToken.of(value));
      return form;
    } catch (HttpException e) {
      return null; // of an older page: the form is shown again
    }
  }

  /// Begins a session.
  HttpResponse signIn(HttpRequest request, Identity identity) {
    AdminSessions.Shown before = parts.sessions().find(COOKIE.read(request));
    if (before != null) {
      boolean _ = parts.sessions().end(before.id());
    }
    String address = request.remoteAddress().getHostAddress();
    String token = parts.sessions().open(identity, address);
    LOG.atInfo()
        .addKeyValue("name", identity.name())
        .addKeyValue("way", identity.way())
        .addKeyValue("address", address)
        .log("console_signed_in");
    HttpResponse response = HttpResponse.redirect(303, FOLDER);
    return FORM_COOKIE.clear(request, COOKIE.set(request, response, token));
  }

  /// Ends a session.
  public HttpResponse signOut(Visit visit) {
    boolean _ = parts.sessions().end(visit.session());
    return COOKIE.clear(visit.request(), HttpResponse.redirect(303, SIGN_IN + "?done=signed-out"));
  }
}
