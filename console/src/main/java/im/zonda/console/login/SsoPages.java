package im.zonda.console.login;

import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.SignOn;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.http.Signer;
import im.zonda.http.page.FormData;
import im.zonda.operation.AuditTrail;
import im.zonda.operation.Caller;
import im.zonda.operation.Grant;
import im.zonda.operation.Role;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.net.URI;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Signs in by the pages of an issuer.
///
/// The state is a challenge for one browser that is answered once, within minutes, and any node of
/// a cluster can check it; the other secrets of the exchange are derived from it and from the
/// browser's cookie. The browser comes back without its cookies, because another site has sent it,
/// so it gets a form that brings the answer here with them.
///
/// @param sso the issuer
/// @param protection has the challenges, and records who has signed in
/// @param signer derives what no one can guess
/// @param pages the other pages for those who have not signed in
public record SsoPages(
    Administrators.Sso sso, Protection protection, Signer signer, SignInPages pages) {
  /// Where the way to the issuer begins.
  public static final String BEGIN = SignInPages.SIGN_IN + "/sso";

  /// Where the issuer sends browsers.
  public static final String ANSWER = BEGIN + "/answer";

  /// Where the form with the issuer's answer is sent.
  public static final String FINISH = BEGIN + "/finish";

  private static final Logger LOG = LoggerFactory.getLogger(SsoPages.class);
  private static final int MOST_CHARACTERS = 2_048;
  private static final String PROBLEM = "sign-in.problem.sso";

  /// May do nothing.
  private static final Grant NOTHING = new Grant(Role.READ_ONLY, Set.of(), Set.of());

  /// Sends a browser to the issuer.
  public HttpResponse begin(HttpRequest request) {
    String known = SignInPages.formCookie(request);
    String cookie = known == null ? protection.sessions().newToken() : known;
    String state = protection.challenges().create(cookie);
    try {
      URI place = sso.client().begin(exchange(request, state, cookie));
      return SignInPages.redirect(request, place.toString(), cookie);
    } catch (ProviderException e) {
      return refused(request, "", String.valueOf(e.getMessage()), "sign-in.problem.sso-away");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return pages.showProblem(request, "sign-in.problem.sso-away");
    }
  }

  private SignOn.Exchange exchange(HttpRequest request, String state, String cookie) {
    String origin = (request.secure() ? "https://" : "http://") + request.authority();
    return new SignOn.Exchange(
        URI.create(origin + ANSWER),
        state,
        derive("console-sso-nonce", state, cookie),
        derive("console-sso-verifier", state, cookie));
  }

  private String derive(String purpose, String state, String cookie) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(signer.sign(purpose, state + " " + cookie));
  }

  /// Takes a browser that comes from the issuer.
  public HttpResponse answer(HttpRequest request) {
    String code = request.query().get("code");
    String state = request.query().get("state");
    if (!isShort(code) || !isShort(state)) {
      return refused(request, "", "the issuer has sent no code", PROBLEM);
    }
    return pages.showAnswer(request, String.valueOf(state), String.valueOf(code));
  }

  private static boolean isShort(@Nullable String text) {
    return text != null && !text.isEmpty() && text.length() <= MOST_CHARACTERS;
  }

  /// Signs in whom the issuer knows.
  public HttpResponse finish(HttpRequest request) throws IOException {
    FormData form = FormData.read(request);
    String cookie = SignInPages.formCookie(request);
    String state = form.get("state");
    if (cookie == null || !protection.challenges().take(state, cookie)) {
      return refused(request, "", "the state is not of this browser, or was used", PROBLEM);
    }
    try {
      return finish(
          request, sso.client().finish(form.get("code"), exchange(request, state, cookie)));
    } catch (ProviderException e) {
      return refused(request, "", String.valueOf(e.getMessage()), PROBLEM);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return pages.showProblem(request, "sign-in.problem.sso-away");
    }
  }

  private HttpResponse finish(HttpRequest request, SignOn.Person person) {
    // Only those that mean something here are remembered.
    List<String> values =
        person.values().stream()
            .distinct()
            .filter(each -> sso.grants().apply(List.of(each)) != null)
            .toList();
    Identity identity = new Identity.BySso(person.name(), values);
    Grant grant = sso.grants().apply(values);
    record(request, identity, grant);
    return grant == null
        ? refused(request, identity.name(), "no role", "sign-in.problem.no-role")
        : pages.signIn(request, identity);
  }

  private void record(HttpRequest request, Identity identity, @Nullable Grant grant) {
    Caller caller =
        new Caller(
            identity.name(),
            Caller.Via.CONSOLE,
            request.remoteAddress().getHostAddress(),
            grant == null ? NOTHING : grant);
    try {
      protection
          .audit()
          .write(
              new AuditTrail.Entry(
                  protection.clock().instant(),
                  caller,
                  "admin.sign-in",
                  null,
                  identity.name(),
                  grant == null ? "forbidden" : "done",
                  grant == null ? "{}" : "{\"role\":\"" + grant.role() + "\"}"));
    } catch (StoreException e) {
      LOG.atWarn().addKeyValue("name", identity.name()).setCause(e).log("console_sso_not_recorded");
    }
  }

  private HttpResponse refused(HttpRequest request, String name, String reason, String problem) {
    LOG.atInfo()
        .addKeyValue("name", name)
        .addKeyValue("reason", reason)
        .addKeyValue("address", request.remoteAddress().getHostAddress())
        .log("console_sso_refused");
    return pages.showProblem(request, problem);
  }
}
