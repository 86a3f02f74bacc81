package im.zonda.app.console;

import static im.zonda.app.console.RunningConsole.status;
import static im.zonda.app.console.RunningConsole.token;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.operation.Caller;
import im.zonda.operation.Grant;
import im.zonda.operation.Kind;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Role;
import im.zonda.operation.Shape;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the history of hacked consoles teaches, tried at this one.
@TestInstance(Lifecycle.PER_CLASS)
class ConsoleAttackTest {
  private RunningConsole running;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    running = new RunningConsole(folder);
    running.server.accounts(
        List.of(
            RunningConsole.ADMIN,
            "bob@own.example",
            "carol@own.example",
            "gone@own.example",
            "eve@other.example"));
    Map<String, Object> appointed =
        Map.of("host", RunningConsole.HOST, "administrators", List.of(RunningConsole.ADMIN));
    assertThat(running.operations.run(Caller.owner("test"), "administrator.set", appointed))
        .isInstanceOf(Outcome.Done.class);
  }

  @AfterAll
  void stop() {
    running.close();
  }

  private RunningConsole.Window owner() throws Exception {
    return running.signedIn("root", Grant.ALL);
  }

  private boolean exists(String account) {
    return running.operations.run(Caller.owner("test"), "account.show", Map.of("account", account))
        instanceof Outcome.Done<?>;
  }

  /// Ways around the login that have worked elsewhere (CVE-2008-6508, CVE-2023-32315,
  /// CVE-2021-39226 and others).
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/admin/",
        "/admin/people",
        "/admin/people?format=csv",
        "/admin/do/account.remove",
        "/admin/do/:operation",
        "/admin/live/log",
        "/admin/live/overview",
        "/admin/style.css/../people",
        "/admin/style.css%2f..%2fpeople",
        "/admin/sign-in/..;/people",
        "/admin/sign-in/%u002e%u002e/people",
        "/admin/sign-in/%2e%2e/people",
        "/admin/sign-in/%c0%ae%c0%ae/people",
        "/admin/sign-in%2>people",
        "/admin/sign-in%00people",
        "/admin/sign-in\\people",
        "/admin//people",
        "/admin/./people",
        "/admin/people;sign-in",
        "/admin/people/style.css",
        "/admin/people?/admin/sign-in",
        "/admin/security",
        "/admin/security/begin",
        "/admin/sign-in/code/../../people",
        "/admin/sign-in/passkey;/../people",
        "/admin/sign-in/../people",
        "/admin/link/people",
        "/admin/icon.svg/people",
        "/admin/%70eople",
        "/admin/people%3f/admin/sign-in",
        "/admin/people%23",
        "/admin/people/",
        "//admin/people",
        "/admin/;/people",
        "/ADMIN/people",
        "http://localhost/admin/people"
      })
  void nothingIsShownWithoutSigningIn(String path) throws Exception {
    String response = running.window().get(path);
    assertThat(status(response)).as(path).isIn(303, 400, 401, 404);
    assertThat(response).doesNotContain("bob@own.example", "page.people", "account.remove");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host: own.example", "Host: evil.example", "Host: localhost.evil.example",
        "Host: 127.0.0.1.evil.example", "Host: 10.0.0.1", "Host: [::2]"
      })
  void pagesWhoseNameMeansThisMachineAreNotAnswered(String host) throws Exception {
    RunningConsole.Window window = owner();
    assertThat(status(window.get("/admin/people", host))).isEqualTo(421);
    for (String local : List.of("127.0.0.1:5280", "[::1]:1", "LOCALHOST")) {
      assertThat(status(window.get("/admin/people", "Host: " + local))).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.1", "Via: 1.1 proxy"})
  void whatAProxyForwardsIsNotAnswered(String field) throws Exception {
    assertThat(status(running.window().get("/admin/sign-in", field))).isEqualTo(404);
    assertThat(status(owner().get("/admin/people", field))).isEqualTo(404);
  }

  /// A form of another site, with the cookie all the same.
  @Test
  void formsOfOtherPagesChangeNothing() throws Exception {
    RunningConsole.Window window = owner();
    String token = token(window.get("/admin/"));
    List<String> form = List.of("token", token, "account", "gone@own.example", "confirmed", "yes");
    String path = "/admin/do/account.remove";
    assertThat(status(window.post(path, form.subList(2, 6)))).isEqualTo(403);
    assertThat(status(window.post(path, List.of("token", "0", "account", "gone@own.example"))))
        .isEqualTo(403);
    for (String field :
        List.of(
            "Origin: https://evil.example",
            "Origin: null",
            "Origin: https://localhost",
            "Sec-Fetch-Site: cross-site",
            "Sec-Fetch-Site: same-site",
            "Sec-Fetch-Site: none")) {
      assertThat(status(window.post(path, form, field))).as(field).isEqualTo(403);
    }
    assertThat(status(window.get(path + "?account=gone@own.example&confirmed=yes"))).isEqualTo(200);
    assertThat(exists("gone@own.example")).isTrue();
    String done =
        window.post(path, form, "Origin: http://localhost", "Sec-Fetch-Site: same-origin");
    assertThat(done).contains("303 ");
    assertThat(exists("gone@own.example")).isFalse();
  }

  @Test
  void whatCannotBeUndoneMustBeConfirmed() throws Exception {
    RunningConsole.Window window = owner();
    assertThat(status(window.run("account.remove", "account", "bob@own.example"))).isEqualTo(422);
    assertThat(exists("bob@own.example")).isTrue();
  }

  /// The token of a form is that of one session.
  @Test
  void theTokenOfAnotherSessionIsOfNoUse() throws Exception {
    RunningConsole.Window one = owner();
    String token = token(owner().get("/admin/"));
    String response =
        one.post(
            "/admin/do/account.disable", List.of("token", token, "account", "bob@own.example"));
    assertThat(status(response)).isEqualTo(403);
  }

  @Test
  void aLinkIsValidOnceAndForTenMinutes() throws Exception {
    String link = Objects.requireNonNull(running.console.newLink());
    assertThat(running.window().useLink(link)).contains("303 ");
    String again = running.window().useLink(link);
    assertThat(status(again)).isEqualTo(422);
    assertThat(again).doesNotContain(link.substring(link.indexOf('#') + 1));
    String late = Objects.requireNonNull(running.console.newLink());
    running.clock.advance(Duration.ofMinutes(10));
    assertThat(status(running.window().useLink(late))).isEqualTo(422);
    assertThat(status(running.window().useLink("#"))).isEqualTo(422);
    assertThat(status(running.window().useLink("#" + "x".repeat(5_000)))).isEqualTo(422);
  }

  /// Another site cannot sign someone in.
  @Test
  void aLinkNeedsTheFormOfThePage() throws Exception {
    String link = Objects.requireNonNull(running.console.newLink());
    String code = link.substring(link.indexOf('#') + 1);
    RunningConsole.Window window = running.window();
    assertThat(status(window.post("/admin/link", List.of("code", code)))).isEqualTo(422);
    assertThat(
            status(window.post("/admin/link", List.of("code", code), "Sec-Fetch-Site: cross-site")))
        .isEqualTo(403);
    assertThat(window.session()).isNull();
    assertThat(window.useLink(link)).contains("303 ");
  }

  @Test
  void onlyTheOwnerOfTheProcessMakesLinks() {
    for (Caller.Via via : Caller.Via.values()) {
      Outcome<?> outcome =
          running.operations.run(
              new Caller("someone", via, null, Grant.ALL), "admin.link", Map.of());
      if (via == Caller.Via.SOCKET) {
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
      } else {
        assertThat(outcome)
            .isInstanceOfSatisfying(
                Outcome.Refused.class,
                refused -> assertThat(refused.reason()).isEqualTo(Outcome.Reason.FORBIDDEN));
      }
    }
  }

  @Test
  void sessionsEnd() throws Exception {
    RunningConsole.Window idle = owner();
    RunningConsole.Window busy = owner();
    for (int i = 0; i < 2; i++) {
      running.clock.advance(Duration.ofMinutes(15));
      assertThat(status(busy.get("/admin/people"))).isEqualTo(200);
    }
    assertThat(status(idle.get("/admin/people"))).isEqualTo(303);
    for (int i = 0; i < 46; i++) {
      running.clock.advance(Duration.ofMinutes(15));
      int status = status(busy.get("/admin/people"));
      assertThat(status).as("after " + (i + 3) * 15 + " min").isEqualTo(i < 45 ? 200 : 303);
    }
  }

  /// The browser gets another cookie than it had, and the old one is of no use.
  @Test
  void aSessionHasANewCookieAndEndsWithSigningOut() throws Exception {
    RunningConsole.Window window = running.window();
    window.setSession("chosen-by-someone-else");
    String link = Objects.requireNonNull(running.console.newLink());
    assertThat(window.useLink(link)).contains("303 ").contains("HttpOnly; SameSite=Strict");
    String session = Objects.requireNonNull(window.session());
    assertThat(session).isNotEqualTo("chosen-by-someone-else").hasSize(43);
    String token = token(window.get("/admin/"));
    assertThat(status(window.get("/admin/sign-out"))).isEqualTo(404);
    assertThat(window.post("/admin/sign-out", List.of("token", token))).contains("303 ");
    window.setSession(session);
    assertThat(status(window.get("/admin/people"))).isEqualTo(303);
  }

  @Test
  void everyResponseIsStrict() throws Exception {
    RunningConsole.Window window = owner();
    for (String path :
        List.of(
            "/admin/",
            "/admin/people",
            "/admin/people?format=csv",
            "/admin/style.css",
            "/admin/console.js",
            "/admin/sign-in",
            "/admin/link",
            "/admin/nothing",
            "/admin/do/account.remove",
            "/admin/search?q=bob")) {
      assertThat(window.get(path))
          .as(path)
          .contains(
              "Cache-Control: no-store\r\n",
              "script-src 'self'; style-src 'self'",
              "frame-ancestors 'none'",
              "require-trusted-types-for 'script'; trusted-types 'none'",
              "X-Content-Type-Options: nosniff")
          .doesNotContain("unsafe-", "Access-Control-Allow-Origin");
    }
  }

  /// Names that strangers may choose are texts.
  @Test
  void namesAreNotMarkup() throws Exception {
    String hostile = "\"><script>x</script>'";
    RunningConsole.Window window = owner();
    try (ScriptedClient carol = running.server.connect("carol@own.example/" + hostile)) {
      carol.send("<presence/>");
      carol.fence("online");
      for (String path :
          List.of(
              "/admin/sessions",
              "/admin/person?account=carol@own.example",
              "/admin/sessions?resource=%22%3E%3Cscript%3E",
              "/admin/search?q=%22%3E%3Cscript%3Ex",
              "/admin/people?name=%22%3E%3Cscript%3E",
              "/admin/do/account.disable?account=a@b&reason=%22%3E%3Cscript%3E",
              "/admin/do/account.disable?account=a@b&back=javascript:x",
              "/admin/people?host=%22%3E%3Cscript%3E")) {
        String page = window.get(path);
        assertThat(page).as(path).doesNotContain("<script>x", "\"><script>", "javascript:");
      }
      assertThat(window.get("/admin/sessions")).contains("&lt;script&gt;x");
    }
  }

  /// A page that leads back leads to the console.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.example/",
        "//evil.example",
        "/admin/..//evil.example",
        "/admin/\\evil",
        "javascript:alert(1)",
        "/account",
        "/admin/\r\nSet-Cookie: a=b"
      })
  void backLeadsToTheConsoleOnly(String back) throws Exception {
    String response = owner().run("account.disable", "account", "bob@own.example", "back", back);
    assertThat(response).contains("Location: /admin/?done=account.disable\r\n");
  }

  @Test
  void everyParameterIsBounded() throws Exception {
    RunningConsole.Window window = owner();
    for (String query :
        List.of(
            "limit=999999999",
            "limit=-1",
            "limit=x",
            "after=%00",
            "after=" + "a".repeat(4_000),
            "host=nowhere.example",
            "state=nothing",
            "name=" + "n".repeat(2_000))) {
      assertThat(status(window.get("/admin/people?" + query)))
          .as(query)
          .isIn(200, 400, 404, 414, 422, 431);
    }
    assertThat(window.get("/admin/people?limit=0&format=csv")).contains("200 ");
    assertThat(status(window.get("/admin/people?limit=x"))).isEqualTo(422);
  }

  /// Every parameter of every page and of every operation: nothing fails, and nothing that was sent
  /// comes back as it was (CVE-2015-8786, and paging by which others were injected).
  @Test
  void noParameterBreaksAPage() throws Exception {
    RunningConsole.Window window = owner();
    Set<String> queries = new TreeSet<>();
    List<String> junk =
        List.of("-1", "9".repeat(30), "%00%01%ff", "'%22%3E%3Cx%20y=z%3E;--", "x".repeat(3_000));
    for (Operation<?, ?> each : running.operations.catalogue().operations()) {
      if (each.kind() != Kind.READ || !Grant.ALL.allows(each, null)) {
        continue;
      }
      for (Shape.Component component : each.input().components()) {
        junk.forEach(value ->
            queries.add(
                "/admin/do/"
                    + each.name()
                    + "?host=own.example&"
                    + component.name()
                    + "="
                    + value));
      }
    }
    for (String path : Objects.requireNonNull(running.console.console()).paths()) {
      for (String name :
          List.of(
              "host", "after", "limit", "q", "done", "back", "account", "room", "format",
              "range")) {
        junk.forEach(value -> queries.add(path + "?" + name + "=" + value));
      }
    }
    assertThat(queries).hasSizeGreaterThan(500);
    for (String query : queries) {
      String response = window.get(query);
      assertThat(status(response))
          .as(query.substring(0, Math.min(query.length(), 100)))
          .isIn(200, 400, 404, 414, 422);
      assertThat(response).as(query).doesNotContain("<x y=z>");
    }
  }

  // ---- administrators of hosts

  @Test
  void anAdministratorHasTheHostOnly() throws Exception {
    RunningConsole.Window admin = running.window();
    assertThat(admin.signIn(RunningConsole.ADMIN, TestServer.PASSWORD)).contains("303 ");
    assertThat(admin.get("/admin/")).contains("You administer own.example.");
    assertThat(admin.get("/admin/people")).contains("bob@own.example");
    for (String path :
        List.of(
            "/admin/people?host=other.example",
            "/admin/people?host=other.example&format=csv",
            "/admin/person?account=eve@other.example",
            "/admin/do/account.show?account=eve@other.example",
            "/admin/search?q=eve",
            "/admin/audit",
            "/admin/tokens",
            "/admin/signed-in")) {
      assertThat(admin.get(path)).as(path).doesNotContain("eve@other.example</");
    }
    assertThat(status(admin.get("/admin/person?account=eve@other.example"))).isEqualTo(403);
    assertThat(status(admin.get("/admin/audit"))).isEqualTo(403);
    assertThat(admin.run("account.disable", "account", "eve@other.example")).contains("403 ");
    assertThat(admin.run("token.create", "name", "mine", "role", "server-admin")).contains("403 ");
  }

  @Test
  void whoIsNoAdministratorDoesNotSignIn() throws Exception {
    RunningConsole.Window window = running.window();
    for (String name : List.of("bob@own.example", "eve@other.example")) {
      assertThat(window.signIn(name, TestServer.PASSWORD)).contains("422 ");
    }
    for (String name : List.of("admin@elsewhere.example", "own.example", "@", "a@b@c", "")) {
      assertThat(window.signIn(name, TestServer.PASSWORD)).as(name).contains("422 ");
    }
    assertThat(window.session()).isNull();
  }

  /// What was given is taken away at once.
  @Test
  void aSessionEndsWithTheAccountOrItsPassword() throws Exception {
    Caller owner = Caller.owner("test");
    Map<String, String> account = Map.of("account", RunningConsole.ADMIN);
    RunningConsole.Window admin = running.window();
    assertThat(admin.signIn(RunningConsole.ADMIN, TestServer.PASSWORD)).contains("303 ");
    assertThat(running.operations.run(owner, "account.disable", account))
        .isInstanceOf(Outcome.Done.class);
    assertThat(status(admin.get("/admin/people"))).isEqualTo(303);
    assertThat(running.operations.run(owner, "account.enable", account))
        .isInstanceOf(Outcome.Done.class);
    assertThat(status(admin.get("/admin/people"))).isEqualTo(303);
  }

  @Test
  void sessionsAreListedAndEnded() throws Exception {
    RunningConsole.Window window = owner();
    RunningConsole.Window reader =
        running.signedIn("reader", new Grant(Role.READ_ONLY, null, null));
    assertThat(window.get("/admin/signed-in")).contains("root", "reader");
    Matcher found =
        Pattern.compile("reader\\s*<.*?session=([0-9a-f]{12})", Pattern.DOTALL)
            .matcher(window.get("/admin/signed-in"));
    assertThat(found.find()).isTrue();
    assertThat(status(reader.get("/admin/people"))).isEqualTo(200);
    assertThat(status(window.run("admin.end-session", "session", found.group(1)))).isEqualTo(303);
    assertThat(status(reader.get("/admin/people"))).isEqualTo(303);
    assertThat(status(window.get("/admin/people"))).isEqualTo(200);
  }

  /// What was done is in the audit, with who did it and by which way; secrets are not.
  @Test
  void whatIsDoneIsInTheAudit() throws Exception {
    RunningConsole.Window window = owner();
    String done =
        window.run("account.password", "account", "bob@own.example", "password", "a hidden word 9");
    assertThat(status(done)).isEqualTo(303);
    String audit = window.get("/admin/audit?operation=account.password");
    assertThat(audit)
        .contains("account.password", "root", "console", "127.0.0.1", "bob@own.example")
        .doesNotContain("a hidden word 9");
  }
}
