package im.zonda.console;

import im.zonda.console.factor.Seal;
import im.zonda.console.guide.GuidePages;
import im.zonda.console.live.EventStreams;
import im.zonda.console.login.Administrators;
import im.zonda.console.login.OneTimeLinks;
import im.zonda.console.login.Protection;
import im.zonda.console.login.RequestCheck;
import im.zonda.console.login.SecurityPage;
import im.zonda.console.login.SignInPages;
import im.zonda.console.login.SsoPages;
import im.zonda.console.login.Visit;
import im.zonda.console.page.ConsolePages;
import im.zonda.console.plugin.PluginPages;
import im.zonda.console.view.ConsoleTexts;
import im.zonda.console.view.Templates;
import im.zonda.http.HttpException;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.FormData;
import im.zonda.http.page.FormToken;
import im.zonda.http.page.StaticFile;
import im.zonda.http.page.Texts;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Answers requests of the console. Without signing in there are the pages for that and a list of
/// files, by their exact paths, and nothing else.
final class ConsoleSite {
  private static final String SIGN_OUT = SignInPages.FOLDER + "sign-out";
  private static final String UNSTORED = "no-store";

  /// Nothing is loaded from elsewhere, no script makes markup, and no other page frames it.
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
          + " connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none';"
          + " require-trusted-types-for 'script'; trusted-types 'none'";

  private final Protection protection;
  private final SignInPages signIn;
  private final @Nullable SsoPages sso;
  private final ConsolePages pages;
  private final Map<String, StaticFile> files =
      Map.of(
          SignInPages.FOLDER + "style.css",
          file("style.css", "text/css; charset=utf-8"),
          SignInPages.FOLDER + "console.js",
          file("console.js", "text/javascript; charset=utf-8"),
          SignInPages.FOLDER + "chart.css",
          file("chart.css", "text/css; charset=utf-8"),
          SignInPages.FOLDER + "chart.js",
          file("chart.js", "text/javascript; charset=utf-8"),
          SignInPages.FOLDER + "icon.svg",
          file("icon.svg", "image/svg+xml"));

  ConsoleSite(
      Console.Parts parts,
      OneTimeLinks links,
      Protection protection,
      Administrators administrators,
      EventStreams streams) {
    Templates templates = new Templates();
    Texts texts = ConsoleTexts.read();
    this.protection = protection;
    this.signIn =
        new SignInPages(
            new SignInPages.Parts(
                links,
                protection.sessions(),
                administrators,
                parts.passwords(),
                protection,
                new Seal(parts.kept().signer(), parts.random()),
                parts.label()),
            templates,
            texts);
    this.sso =
        administrators.sso() == null
            ? null
            : new SsoPages(administrators.sso(), protection, parts.kept().signer(), signIn);
    this.pages =
        new ConsolePages(
                parts.operations(), parts.hosts(), parts.clock(), templates, parts.label(), streams)
            .with(protection);
    GuidePages.addTo(pages);
    PluginPages.addTo(pages);
  }

  private static StaticFile file(String name, String type) {
    return StaticFile.of(ConsoleTexts.class, name, type, UNSTORED);
  }

  /// The paths of the pages that have one of their own.
  List<String> paths() {
    return pages.paths();
  }

  /// The answer to a request.
  ///
  /// @param check decides whether it is looked at
  HttpResponse answer(HttpRequest request, RequestCheck check) throws IOException {
    try {
      check.check(request);
      return secured(checked(request));
    } catch (HttpException e) {
      return secured(HttpResponse.text(e.status(), e.getMessage() + "."));
    }
  }

  private static HttpResponse secured(HttpResponse response) {
    HttpResponse secured =
        response.has("Cache-Control") ? response : response.with("Cache-Control", UNSTORED);
    return secured
        .with("Content-Security-Policy", POLICY)
        .with("Cross-Origin-Opener-Policy", "same-origin")
        .with("Cross-Origin-Resource-Policy", "same-origin")
        .with("Referrer-Policy", "same-origin");
  }

  private HttpResponse checked(HttpRequest request) throws IOException {
    String path = request.path();
    boolean posted = request.method() == HttpMethod.POST;
    StaticFile file = files.get(path);
    if (file != null && !posted) {
      return file.handle(request);
    }
    return switch (path) {
      case SignInPages.SIGN_IN -> posted ? signIn.submit(request) : signIn.show(request);
      case SignInPages.CODE -> posted ? signIn.submitCode(request) : signIn.show(request);
      case SignInPages.PASSKEY -> posted ? signIn.submitPasskey(request) : signIn.show(request);
      case SignInPages.LINK -> posted ? signIn.submitLink(request) : signIn.showLink(request);
      case SsoPages.BEGIN, SsoPages.ANSWER, SsoPages.FINISH -> bySso(request, path, posted);
      default -> signedIn(request, posted);
    };
  }

  private HttpResponse bySso(HttpRequest request, String path, boolean posted) throws IOException {
    SsoPages pages = sso;
    if (pages == null || posted != path.equals(SsoPages.FINISH)) {
      return signIn.show(request);
    }
    return switch (path) {
      case SsoPages.BEGIN -> pages.begin(request);
      case SsoPages.ANSWER -> pages.answer(request);
      default -> pages.finish(request);
    };
  }

  private HttpResponse signedIn(HttpRequest request, boolean posted) throws IOException {
    boolean live = request.path().startsWith(ConsolePages.LIVE);
    Visit visit = signIn.visit(request, !live);
    if (visit == null) {
      return live
          ? HttpResponse.text(401, "The session has ended.")
          : HttpResponse.redirect(303, SignInPages.SIGN_IN);
    }
    if (posted && request.path().equals(SIGN_OUT)) {
      FormToken.check(FormData.read(request), visit.formToken());
      return signIn.signOut(visit);
    }
    if (!request.path().startsWith(SecurityPage.PATH) && protection.mustBegin(visit)) {
      return live
          ? HttpResponse.text(403, "Set up a second factor first.")
          : HttpResponse.redirect(303, SecurityPage.PATH);
    }
    return pages.answer(visit, () -> signIn.visit(request, false));
  }
}
