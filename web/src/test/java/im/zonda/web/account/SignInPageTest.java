package im.zonda.web.account;

import static im.zonda.web.account.AccountStage.ALICE;
import static im.zonda.web.account.AccountStage.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.account.PasswordLogin.Reason;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpRoute;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Signing in and out, and what someone can do who has not, or with the cookies of others.
class SignInPageTest {
  private static final String COOKIE = "__Secure-account";

  private final AccountStage stage = new AccountStage();
  private final Browser browser = stage.browser();

  private Browser.Answer signIn(String name, String password) {
    return browser.post("/account/sign-in", "name=" + name + "&password=" + password);
  }

  @Test
  void someoneSignsInAndOut() {
    assertThat(browser.get("/account").text())
        .contains("action=\"/account/sign-in\"", "autocomplete=\"current-password\"");
    Browser.Answer answer = signIn("alice", "secret");
    assertThat(answer.status()).isEqualTo(303);
    assertThat(answer.header("Location")).isEqualTo("/account");
    assertThat(browser.get("/account").text()).contains("alice@example.org", "Sign out");
    Browser.Answer out = browser.post("/account/sign-out", "");
    assertThat(out.header("Location")).isEqualTo("/account?done=signed-out");
    assertThat(browser.get("/account?done=signed-out").text())
        .contains("You have signed out.", "action=\"/account/sign-in\"", "/account/forget.css");
    assertThat(browser.get("/account/forget.css").header("Clear-Site-Data")).isEqualTo("\"cache\"");
    browser.headers.put("sec-fetch-site", "cross-site");
    assertThat(browser.get("/account/forget.css").status()).isEqualTo(403);
  }

  @Test
  void theWholeAddressIsANameToo() {
    browser.get("/account");
    assertThat(signIn("%20Alice%40Example.ORG", "secret").status()).isEqualTo(303);
  }

  @Test
  void theCookieIsForTheseFilesAndNoScript() {
    browser.get("/account");
    assertThat(signIn("alice", "secret").header("Set-Cookie"))
        .contains("__Secure-account=", "; Path=/account; HttpOnly; SameSite=Strict; Secure")
        .contains("__Secure-account-form=; Max-Age=0;")
        .doesNotContain("Domain");
    Browser plain = stage.browser();
    plain.secure = false;
    plain.address = "127.0.0.1";
    plain.get("/account");
    assertThat(plain.post("/account/sign-in", "name=alice&password=secret").header("Set-Cookie"))
        .contains("account=", "; Path=/account; HttpOnly; SameSite=Strict")
        .doesNotContain("Secure");
    assertThat(plain.get("/account").text()).contains("alice@example.org");
  }

  @ParameterizedTest
  @CsvSource({
    "WRONG, This name or password is wrong.",
    "DISABLED, This account is disabled.",
    "TOO_MANY, Too many attempts from your network.",
    "UNAVAILABLE, This is not possible at the moment."
  })
  void aRefusalSaysWhy(Reason reason, String text) {
    browser.get("/account");
    stage.passwords.refusal = reason;
    Browser.Answer answer = signIn("alice", "secret");
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.text()).contains(text, "value=\"alice\"").doesNotContain("secret");
    assertThat(browser.cookies).doesNotContainKey(COOKIE);
  }

  @Test
  void withoutEncryptionNobodySignsIn() {
    browser.get("/account");
    signIn("alice", "secret");
    Browser plain = stage.browser();
    plain.secure = false;
    plain.cookies.put("account", browser.cookies.get(COOKIE));
    Browser.Answer answer = plain.get("/account");
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.text()).contains("not encrypted").doesNotContain("<form", "alice@");
    assertThat(plain.get("/account/devices").status()).isEqualTo(303);
    int attempts = stage.passwords.attempts;
    plain.post("/account/sign-in", "name=alice&password=secret");
    assertThat(stage.passwords.attempts).isEqualTo(attempts);
  }

  /// Every path but the form to sign in needs a session, and every change the token of its form.
  @Test
  void row89_nothingIsShownToThoseWhoHaveNotSignedIn() {
    for (HttpRoute route : stage.pages.routes()) {
      if (List.of("/account/sign-in", "/account/forget.css").contains(route.path())) {
        continue;
      }
      for (HttpMethod method : route.methods()) {
        Browser.Answer answer =
            stage
                .browser()
                .send(
                    method,
                    route.path(),
                    Map.of("content-type", "application/x-www-form-urlencoded"),
                    new byte[0]);
        if (route.path().equals("/account") && method == HttpMethod.GET) {
          assertThat(answer.text()).contains("/account/sign-in").doesNotContain("sign-out");
        } else {
          assertThat(answer.status()).as(route.path()).isEqualTo(303);
          assertThat(answer.header("Location")).isEqualTo("/account");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/account/sign-out",
        "/account/password",
        "/account/devices",
        "/account/export",
        "/account/delete"
      })
  void row93_aFormWithoutItsTokenChangesNothing(String path) {
    Browser alice = stage.signedIn(ALICE);
    Browser bob = stage.signedIn(BOB);
    String form = "old=secret&new=changed&again=changed&password=secret&id=x";
    assertThat(alice.postWithout(path, form).status()).isEqualTo(403);
    assertThat(alice.postWithout(path, "token=&" + form).status()).isEqualTo(403);
    assertThat(alice.postWithout(path, "token=" + bob.token + "&" + form).status()).isEqualTo(403);
    alice.headers.put("sec-fetch-site", "cross-site");
    assertThat(alice.post(path, form).status()).isEqualTo(403);
    alice.headers.put("sec-fetch-site", "same-site");
    assertThat(alice.post(path, form).status()).isEqualTo(403);
    assertThat(stage.passwords.passwords).containsEntry(ALICE, "secret");
    assertThat(alice.get("/account").text()).contains("alice@example.org");
  }

  /// Another site cannot sign people in to an account of its own: it does not have the cookie.
  @Test
  void row93_aFormOfAnotherSiteSignsNobodyIn() {
    Browser attacker = stage.browser();
    attacker.get("/account");
    browser.headers.remove("sec-fetch-site"); // an old browser
    String form = "token=" + attacker.token + "&name=bob&password=secret";
    assertThat(browser.postWithout("/account/sign-in", form).text())
        .contains("This form was too old");
    browser.get("/account");
    assertThat(browser.postWithout("/account/sign-in", form).text())
        .contains("This form was too old");
    assertThat(stage.passwords.attempts).isZero();
  }

  /// Someone who has set a cookie before knows nothing of the session that begins.
  @Test
  void row93_aSessionHasANewCookie() {
    browser.cookies.put(COOKIE, "chosen");
    browser.get("/account");
    signIn("alice", "secret");
    String first = browser.cookies.get(COOKIE);
    assertThat(first).isNotEqualTo("chosen");

    Browser attacker = stage.signedIn(BOB);
    Browser victim = stage.browser();
    victim.get("/account");
    victim.cookies.put(COOKIE, attacker.cookies.get(COOKIE));
    victim.post("/account/sign-in", "name=alice&password=secret");
    assertThat(victim.cookies.get(COOKIE)).isNotEqualTo(attacker.cookies.get(COOKIE));
    assertThat(victim.get("/account").text()).contains("alice@example.org");
    assertThat(attacker.get("/account").text()).contains("/account/sign-in"); // it was replaced
  }

  /// A second cookie of that name was added by someone else, such as a page of another subdomain.
  @Test
  void row93_twoCookiesAreNone() {
    Browser alice = stage.signedIn(ALICE);
    Browser bob = stage.signedIn(BOB);
    alice.headers.put(
        "cookie",
        COOKIE + "=" + bob.cookies.get(COOKIE) + "; " + COOKIE + "=" + alice.cookies.get(COOKIE));
    assertThat(alice.get("/account").text()).contains("/account/sign-in");
  }

  @Test
  void row93_aCookieIsOfNoUseAfterSigningOut() {
    Browser alice = stage.signedIn(ALICE);
    String stolen = alice.cookies.get(COOKIE);
    alice.post("/account/sign-out", "");
    assertThat(alice.cookies).doesNotContainKey(COOKIE);
    Browser thief = stage.browser();
    thief.cookies.put(COOKIE, stolen);
    assertThat(thief.get("/account").text()).contains("/account/sign-in");
    assertThat(thief.get("/account/export").status()).isEqualTo(303);
  }

  @Test
  void pagesAreKeptByNoCacheAndAllowNoScripts() {
    Browser alice = stage.signedIn(ALICE);
    for (String path :
        new String[] {
          "/account", "/account/password", "/account/devices", "/account/export", "/account/delete"
        }) {
      Browser.Answer answer = alice.get(path);
      assertThat(answer.status()).as(path).isEqualTo(200);
      assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
      assertThat(answer.header("Content-Security-Policy"))
          .startsWith("default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'");
      assertThat(answer.text()).contains("aria-current=\"page\"").doesNotContain("<script");
    }
    assertThat(browser.get("/account").header("Cache-Control")).isEqualTo("no-store");
  }

  @Test
  void onlyWhatThePagesSayIsSaidToBeDone() {
    Browser alice = stage.signedIn(ALICE);
    assertThat(alice.get("/account?done=saved").text()).contains("Saved.");
    assertThat(alice.get("/account?done=%3Cb%3Eevil").text()).doesNotContain("evil");
  }
}
