package im.zonda.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.config.accounts.SsoIssuer;
import im.zonda.config.accounts.SsoRole;
import im.zonda.operation.Caller;
import im.zonda.operation.Outcome;
import im.zonda.testkit.issuer.JsonText;
import im.zonda.testkit.issuer.SigningKey;
import im.zonda.testkit.issuer.TestIssuer;
import im.zonda.testkit.server.ServerPlan;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Signing in to the console by the pages of an issuer, at a whole server, and ways around it.
class ConsoleSsoTest {
  private static final String BEGIN = "/admin/sign-in/sso";
  private static final String FINISH = BEGIN + "/finish";
  private static final Pattern LOCATION = Pattern.compile("(?i)\r\nLocation: ([^\r]+)\r\n");

  private final TestIssuer issuer = new TestIssuer();
  private final HttpClient browser = HttpClient.newHttpClient();
  private RunningConsole running;

  /// What the issuer sends a browser back with.
  private record Answer(String path, String state, String code) {}

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    SsoIssuer settings =
        new SsoIssuer(
            issuer.issuer(),
            "console",
            "a secret",
            null,
            "Example <ID>",
            List.of("openid"),
            List.of("ES256"),
            "preferred_username",
            "realm.groups",
            Map.of(
                "chiefs", new SsoRole(SsoRole.Role.SERVER_ADMIN, List.of()),
                "house", new SsoRole(SsoRole.Role.HOST_ADMIN, List.of(RunningConsole.HOST)),
                "watch", new SsoRole(SsoRole.Role.READ_ONLY, List.of())));
    running =
        new RunningConsole(
            folder,
            true,
            ServerPlan.of(StandardModules::create)
                .withHosts(RunningConsole.HOST, "other.example")
                .with("admin.sso", settings)
                .startOnSockets());
    issuer.clock = running.clock;
    groups("chiefs");
  }

  @AfterEach
  void stop() {
    running.close();
    issuer.close();
    browser.close();
  }

  private void groups(String... groups) {
    issuer.person.put("realm", Map.of("groups", List.of(groups)));
  }

  private static String location(String response) {
    Matcher found = LOCATION.matcher(response);
    assertThat(found.find()).as(response).isTrue();
    return found.group(1);
  }

  private static String parameter(String url, String name) {
    for (String pair : URI.create(url).getRawQuery().split("&", -1)) {
      if (pair.startsWith(name + "=")) {
        return URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8);
      }
    }
    return "";
  }

  /// Goes to the issuer and comes back.
  private Answer visit(RunningConsole.Window window) throws Exception {
    String place = location(window.get(BEGIN));
    assertThat(place).startsWith(issuer.issuer() + "/authorize?");
    HttpResponse<String> back =
        browser.send(
            HttpRequest.newBuilder(URI.create(place)).build(),
            HttpResponse.BodyHandlers.ofString());
    String url = back.headers().firstValue("Location").orElseThrow();
    assertThat(url).startsWith("http://localhost" + BEGIN + "/answer?");
    URI uri = URI.create(url);
    return new Answer(
        uri.getRawPath() + "?" + uri.getRawQuery(),
        parameter(url, "state"),
        parameter(url, "code"));
  }

  private static String finish(RunningConsole.Window window, String state, String code)
      throws IOException {
    return window.post(FINISH, List.of("state", state, "code", code));
  }

  private String signIn(RunningConsole.Window window) throws Exception {
    Answer answer = visit(window);
    return finish(window, answer.state(), answer.code());
  }

  private void refused(RunningConsole.Window window, String response) {
    assertThat(response).startsWith("HTTP/1.1 422 ").contains("role=\"alert\"");
    assertThat(window.session()).isNull();
  }

  private List<?> audited() {
    Outcome<?> outcome = running.operations.run(Caller.owner("test"), "audit.list", Map.of());
    assertThat(outcome).isInstanceOf(Outcome.Done.class);
    return List.of(outcome.toString());
  }

  @Test
  void thePageOffersTheIssuer() throws Exception {
    assertThat(running.window().get("/admin/sign-in"))
        .contains("<a class=\"button quiet\" href=\"/admin/sign-in/sso\">")
        .contains("Sign in with Example &lt;ID&gt;");
    assertThat(running.window().get("/admin/sign-in", "Accept-Language: de"))
        .contains("Mit Example &lt;ID&gt; anmelden");
  }

  @Test
  void someoneSignsInWithTheRoleOfTheirGroup() throws Exception {
    RunningConsole.Window window = running.window();
    Answer answer = visit(window);
    String page = running.window().get(answer.path()); // without cookies, as from another site
    assertThat(page)
        .contains("action=\"" + FINISH + "\" method=\"post\" data-send")
        .contains("value=\"" + answer.code() + "\"", "form-action 'self'", "no-store")
        .doesNotContain("Set-Cookie: zonda-admin=");
    assertThat(finish(window, answer.state(), answer.code()))
        .contains("303 ", "Location: /admin/\r\n");
    assertThat(window.get("/admin/")).contains("sso:alice");
    assertThat(window.get("/admin/audit")).startsWith("HTTP/1.1 200 ").contains("admin.sign-in");
    assertThat(audited().toString()).contains("admin.sign-in", "sso:alice");
  }

  @Test
  void theRoleIsTheFirstOfTheirGroups() throws Exception {
    groups("watch", "unknown", "house");
    RunningConsole.Window window = running.window();
    assertThat(signIn(window)).contains("Location: /admin/\r\n");
    assertThat(audited().toString()).contains("HOST_ADMIN");
    assertThat(window.get("/admin/people?host=own.example")).startsWith("HTTP/1.1 200 ");
    assertThat(window.get("/admin/audit")).doesNotStartWith("HTTP/1.1 200 ");
  }

  @Test
  void whoHasNoRoleIsRefused() throws Exception {
    for (Object realm :
        List.of(
            Map.of("groups", List.of("others")),
            Map.of("groups", "chiefs of others"),
            Map.of("groups", List.of(Map.of("chiefs", true))),
            Map.of("roles", List.of("chiefs")),
            "chiefs",
            7)) {
      issuer.person.put("realm", realm);
      RunningConsole.Window window = running.window();
      String response = signIn(window);
      refused(window, response);
      assertThat(response).contains("admin.sso.role");
    }
    issuer.person.remove("realm");
    issuer.person.put("groups", List.of("chiefs")); // another claim than that of the settings
    RunningConsole.Window window = running.window();
    refused(window, signIn(window));
    assertThat(audited().toString()).contains("forbidden");
  }

  @Test
  void aStateIsForOneBrowserAndOnce() throws Exception {
    RunningConsole.Window victim = running.window();
    RunningConsole.Window attacker = running.window();
    Answer stolen = visit(attacker);
    Answer own = visit(victim);
    refused(victim, finish(victim, stolen.state(), stolen.code())); // login CSRF
    refused(victim, finish(victim, stolen.state(), own.code()));
    refused(victim, finish(victim, "", own.code()));
    refused(victim, finish(victim, own.state() + "A", own.code()));
    RunningConsole.Window without = running.window();
    refused(without, finish(without, own.state(), own.code()));
    assertThat(finish(victim, own.state(), own.code())).contains("Location: /admin/\r\n");
    assertThat(finish(victim, own.state(), own.code())).startsWith("HTTP/1.1 422 "); // replayed
  }

  @Test
  void aCodeOfAnotherExchangeIsOfNoUse() throws Exception {
    RunningConsole.Window victim = running.window();
    Answer stolen = visit(running.window());
    Answer own = visit(victim);
    refused(victim, finish(victim, own.state(), stolen.code())); // PKCE
  }

  @Test
  void aCodeThatWasUsedIsOfNoUse() throws Exception {
    RunningConsole.Window window = running.window();
    Answer used = visit(window);
    assertThat(finish(window, used.state(), used.code())).contains("Location: /admin/\r\n");
    RunningConsole.Window again = running.window();
    Answer other = visit(again);
    refused(again, finish(again, other.state(), used.code()));
  }

  @Test
  void anOldStateIsOfNoUse() throws Exception {
    RunningConsole.Window window = running.window();
    Answer answer = visit(window);
    running.clock.advance(Duration.ofMinutes(5));
    refused(window, finish(window, answer.state(), answer.code()));
  }

  @Test
  void tokensThatAreNotForThisLogin() throws Exception {
    List<Map<String, Object>> wrong = new ArrayList<>();
    wrong.add(Map.of("nonce", ""));
    wrong.add(Map.of("nonce", "another"));
    wrong.add(Map.of("aud", "another client"));
    wrong.add(Map.of("aud", List.of("console", "another client")));
    wrong.add(Map.of("azp", "another client"));
    wrong.add(Map.of("iss", "https://id.example.org"));
    wrong.add(Map.of("exp", 1));
    wrong.add(Map.of("exp", ""));
    wrong.add(Map.of("preferred_username", " ", "sub", ""));
    for (Map<String, Object> claims : wrong) {
      issuer.person.putAll(claims);
      RunningConsole.Window window = running.window();
      refused(window, signIn(window));
      issuer.person.keySet().removeAll(claims.keySet());
    }
    SigningKey published = issuer.keys.getFirst();
    issuer.keys.set(0, SigningKey.create("first", "ES256"));
    issuer.answers.put(
        "/keys", new TestIssuer.Answer(200, JsonText.of(Map.of("keys", List.of(published.jwk())))));
    RunningConsole.Window window = running.window();
    refused(window, signIn(window));
  }

  @Test
  void anIssuerThatIsAway() throws Exception {
    issuer.answers.put("/token", new TestIssuer.Answer(200, "{\"id_token\":7}"));
    RunningConsole.Window window = running.window();
    refused(window, signIn(window));
    issuer.answers.put("/.well-known/openid-configuration", new TestIssuer.Answer(503, ""));
    running.clock.advance(Duration.ofMinutes(11));
    String response = running.window().get(BEGIN);
    assertThat(response).startsWith("HTTP/1.1 422 ").contains("does not answer at present");
  }

  @Test
  void nobodyIsSentElsewhere() throws Exception {
    for (String more :
        List.of("?next=https://evil.example/", "?redirect_uri=https://evil.example/")) {
      assertThat(location(running.window().get(BEGIN + more)))
          .startsWith(issuer.issuer() + "/authorize?")
          .doesNotContain("evil");
    }
    assertThat(running.window().get(BEGIN, "Host: evil.example")).startsWith("HTTP/1.1 421 ");
    RunningConsole.Window window = running.window();
    Answer answer = visit(window);
    String response =
        window.post(
            FINISH + "?next=https://evil.example/",
            List.of(
                "state", answer.state(), "code", answer.code(), "next", "https://evil.example/"));
    assertThat(response).contains("Location: /admin/\r\n").doesNotContain("evil");
  }

  @Test
  void formsOfOtherSitesAndOtherMethods() throws Exception {
    RunningConsole.Window window = running.window();
    Answer answer = visit(window);
    List<String> form = List.of("state", answer.state(), "code", answer.code());
    assertThat(window.post(FINISH, form, "Origin: https://evil.example"))
        .startsWith("HTTP/1.1 403 ");
    assertThat(window.post(FINISH, form, "Sec-Fetch-Site: cross-site")).startsWith("HTTP/1.1 403 ");
    assertThat(window.get(FINISH + "?state=" + answer.state() + "&code=" + answer.code()))
        .startsWith("HTTP/1.1 200 ");
    assertThat(window.session()).isNull();
    assertThat(running.window().get(BEGIN + "/answer?error=access_denied&state=x"))
        .startsWith("HTTP/1.1 422 ");
    assertThat(running.window().get(BEGIN + "/answer?code=%22%3E%3Cb%3E&state=x"))
        .contains("value=\"&#34;>&lt;b>\"");
  }

  @Test
  void namesOfTheIssuerAreNoneOfAccounts() throws Exception {
    issuer.person.put("preferred_username", "admin@own.example\u202e\nx");
    RunningConsole.Window window = running.window();
    assertThat(signIn(window)).contains("Location: /admin/\r\n");
    assertThat(window.get("/admin/")).contains("sso:admin@own.example??x");
  }
}
