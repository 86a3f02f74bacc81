package im.zonda.web.account;

import im.zonda.account.AccountRegistration;
import im.zonda.account.PasswordLogin;
import im.zonda.directory.AccountExport;
import im.zonda.http.HttpHandler;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.http.HttpRoute;
import im.zonda.http.page.FormData;
import im.zonda.http.page.FormToken;
import im.zonda.http.page.SessionCookie;
import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IdSource;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.web.login.LoginSession;
import im.zonda.web.login.LoginSessions;
import im.zonda.web.login.SignIn;
import im.zonda.web.page.Site;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// The pages of an account, and who may see them: each route says whether it is for people who have
/// signed in; a request that changes something also needs the token of its form.
public final class AccountPages {
  /// The ports of the pages.
  public static final Ports PORTS =
      Ports.of(PasswordLogin.class, AccountRegistration.class, ExternalComponents.class)
          .withKeyValues(LoginSessions.STORE);

  /// All pages in the order of the navigation: the paths below the folder, which are also the keys
  /// of their texts.
  private static final List<String> ALL =
      List.of("profile", "password", "devices", "export", "delete");

  /// Those where users do not change their own accounts.
  private static final List<String> FEWER = List.of("profile", "devices", "export");

  private static final SessionCookie COOKIE = new SessionCookie("account", Visit.FOLDER);

  /// What a host has for the pages.
  ///
  /// @param host its domain
  /// @param signIn checks passwords
  /// @param sessions who has signed in
  /// @param accounts changes passwords, removes accounts
  /// @param forget ends the sessions of the clients of a removed account
  /// @param requests asks the homes of accounts
  /// @param export writes what is kept of an account
  /// @param ids random identifiers
  /// @param vcardBytes how large a vCard may be
  /// @param changeable whether users change their password and delete their account, as by XEP-0077
  public record Parts(
      Jid host,
      SignIn signIn,
      LoginSessions sessions,
      AccountRegistration accounts,
      Consumer<Jid> forget,
      HomeRequests requests,
      AccountExport export,
      IdSource ids,
      IntSupplier vcardBytes,
      boolean changeable) {
    /// Those of a host.
    public static Parts of(ModuleContext context, AccountExport export) {
      PasswordLogin passwords = context.port(PasswordLogin.class);
      return new Parts(
          context.domain(),
          new SignIn(passwords, context.domain()),
          new LoginSessions(
              context.keyValues(LoginSessions.STORE), passwords, context.clock(), context.ids()),
          context.port(AccountRegistration.class),
          context::forget,
          new RoutedRequests(context.port(ExternalComponents.class), context.ids()),
          export,
          context.ids(),
          () -> context.config().limits().vcardBytes(),
          !context.config().modulesOff().contains("registration"));
    }
  }

  /// Answers people who have signed in.
  @FunctionalInterface
  interface Shown {
    HttpResponse show(Visit visit) throws IOException;
  }

  /// Answers a form of people who have signed in.
  @FunctionalInterface
  interface Submitted {
    HttpResponse submit(Visit visit, FormData form) throws IOException;
  }

  private final Site site;
  private final Parts parts;
  private final SignInPage signIn;
  private final List<HttpRoute> routes = new ArrayList<>();

  /// @param site what all pages share
  public AccountPages(Site site, Parts parts) {
    this.site = site;
    this.parts = parts;
    this.signIn = new SignInPage(site, parts, COOKIE);
    ProfilePage profile = new ProfilePage(parts);
    routes.add(HttpRoute.exact(Visit.FOLDER, HttpMethod.GET, shown(profile::show)));
    post("sign-in", signIn::submit);
    get("forget.css", Visit::forgetting);
    post("sign-out", submitted(this::signOut));
    post("profile", profile(profile));
    get("picture", shown(profile::picture));
    DevicesPage devices = new DevicesPage(parts);
    get("devices", shown(devices::show));
    post("devices", submitted(devices::submit));
    ExportPage export = new ExportPage(parts);
    get("export", shown(visit -> export.show(visit, null)));
    post("export", submitted(export::submit));
    if (parts.changeable()) {
      change();
    }
  }

  private void change() {
    PasswordPage password = new PasswordPage(site, parts, COOKIE);
    get("password", shown(visit -> password.show(visit, null)));
    post("password", submitted(password::submit));
    DeletePage delete = new DeletePage(parts, COOKIE);
    get("delete", shown(visit -> delete.show(visit, null)));
    post("delete", submitted(delete::submit));
  }

  /// The routes of all pages.
  public List<HttpRoute> routes() {
    return List.copyOf(routes);
  }

  private void get(String page, HttpHandler handler) {
    routes.add(HttpRoute.exact(Visit.FOLDER + "/" + page, HttpMethod.GET, handler));
  }

  private void post(String page, HttpHandler handler) {
    routes.add(HttpRoute.exact(Visit.FOLDER + "/" + page, HttpMethod.POST, handler));
  }

  /// Who has sent a request; null if that is nobody who has signed in over a connection that others
  /// do not read.
  private @Nullable Visit visit(HttpRequest request) {
    LoginSession session =
        Site.isPrivate(request) ? parts.sessions().find(parts.host(), COOKIE.read(request)) : null;
    return session == null
        ? null
        : new Visit(request, session, site.page(request), parts.changeable() ? ALL : FEWER);
  }

  private static HttpResponse toSignIn() {
    return Visit.unstored(HttpResponse.redirect(303, Visit.FOLDER));
  }

  private HttpHandler shown(Shown page) {
    return request -> {
      Visit visit = visit(request);
      if (visit == null) {
        return request.path().equals(Visit.FOLDER) ? signIn.show(request) : toSignIn();
      }
      return page.show(visit);
    };
  }

  private HttpHandler submitted(Submitted page) {
    return request -> {
      Visit visit = visit(request);
      if (visit == null) {
        return toSignIn();
      }
      FormData form = FormData.read(request);
      FormToken.check(form, visit.session().formToken());
      return page.submit(visit, form);
    };
  }

  /// The only form with a file.
  private HttpHandler profile(ProfilePage page) {
    return request -> {
      Visit visit = visit(request);
      return visit == null ? toSignIn() : page.submit(visit);
    };
  }

  private HttpResponse signOut(Visit visit, FormData form) {
    parts.sessions().close(visit.session());
    return COOKIE.clear(
        visit.request(),
        Visit.unstored(HttpResponse.redirect(303, Visit.FOLDER + "?done=signed-out")));
  }
}
