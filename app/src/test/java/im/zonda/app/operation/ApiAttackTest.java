package im.zonda.app.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import im.zonda.config.Api;
import im.zonda.operation.Grant;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.operation.Role;
import im.zonda.operation.token.ApiToken;
import im.zonda.operation.token.ApiTokens;
import im.zonda.testkit.database.Eventually;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What consoles were broken into with, against the listener of the API: what each is answered
/// with, and that nothing has changed.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiAttackTest {
  private static final String JSON = "\nContent-Type: application/json";

  /// Paths that are rejected before anyone is asked who has sent them.
  private static final List<String> MALFORMED =
      List.of(
          "/api/v1/%u002e%u002e/jobs",
          "/api/v1/setup/setup-%2>/../jobs",
          "/api/v1/jobs%2",
          "/api/v1//jobs",
          "//api/v1/jobs",
          "/api/v1%2fjobs",
          "/api/v1/x/..%2f..%2fjobs",
          "/api%2fv1/jobs",
          "/api/v1/probes/%2e%2e%2fx",
          "/api/v1/probes/x%2f.%2fy",
          "/api/v1/probes/x%2F..",
          "/api/v1/probes/x%5c..%2fy",
          "/api%5cv1/jobs",
          "/api%2f",
          "/x%2fy",
          "/api\\v1\\jobs",
          "/api/v1/%5c..%5cjobs",
          "/api/v1/jobs%00",
          "/api/v1/jobs%0d%0aX: y",
          "/api/v1/%c0%ae%c0%ae/jobs",
          "/api/v1/%e0%80%ae/jobs",
          "/api/v1/./jobs",
          "/api/v1/../v1/jobs",
          "/api/v1/%2e%2e/jobs",
          "/api/v1/jobs#x",
          "ftp://own.example/api/v1/jobs",
          "api/v1/jobs",
          "/api/v1/jobs?x=%zz",
          "/api/v1/jobs?x=%c0%ae");

  private RunningApi api;
  private String token;
  private int tokens;

  /// A request and its answer. In the head `@` stands for the field Host and the token, `~` for
  /// Host alone; `TOKEN` is the token.
  record Row(String name, String head, String body, int status) {
    Row(String name, String head, int status) {
      this(name, head, "", status);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  @SuppressWarnings("NullAway.Init") // set before all tests
  ApiAttackTest() {}

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    api = new RunningApi(folder, new Api(List.of("127.0.0.1:0"), List.of(), List.of()));
    token = api.token("everything", Grant.ALL);
    tokens = 1;
  }

  @AfterAll
  void stop() {
    api.close();
  }

  @AfterEach
  void nothingHasChanged() {
    assertThat(api.changed).isEmpty();
    assertThat(api.tokens.all()).hasSize(tokens);
  }

  private String send(String head, String body) throws IOException {
    String host = "\nHost: own.example";
    return api.send(
        head.replace("@", host + "\nAuthorization: Bearer " + token)
            .replace("~", host)
            .replace("TOKEN", token),
        body);
  }

  private static String get(String target) {
    return "GET " + target + " HTTP/1.1";
  }

  private static String post(String type, String body) {
    return "POST /api/v1/probes/x HTTP/1.1@\nContent-Type: "
        + type
        + "\nContent-Length: "
        + body.getBytes(StandardCharsets.ISO_8859_1).length;
  }

  static Stream<Row> paths() {
    List<Row> rows = new ArrayList<>();
    for (String path : MALFORMED) {
      rows.add(new Row(path + " with a token", get(path) + "@", 400));
      rows.add(new Row(path + " without", get(path) + "~", 400));
    }
    for (String path :
        List.of(
            "/api/v1/..;/jobs",
            "/api/v1/jobs;x=y",
            "/api/v1/jobs/",
            "/api/v1/",
            "/api/v2/jobs",
            "/api/v1x/jobs",
            "/api/v1/:probe",
            "/api/v1/probes/{probe}/x",
            "/api/v1/probes",
            "/api/v1/openapi.json/x",
            "/api/v1/jobs%2fx",
            "/api/v1/probes%2fx",
            "/api/v1%252fjobs",
            "/api/v1/%252e%252e/jobs")) {
      rows.add(new Row(path + " with a token", get(path) + "@", 404));
      rows.add(new Row(path + " without", get(path) + "~", 401));
    }
    for (String path : List.of("/", "/api", "/API/v1/jobs", "/xmpp-websocket", "/http-bind")) {
      rows.add(new Row(path + " with a token", get(path) + "@", 404));
      rows.add(new Row(path + " without", get(path) + "~", 404));
    }
    rows.add(new Row("a slash within a variable", get("/api/v1/probes/a%2fb%5c20c") + "@", 200));
    rows.add(new Row("a literal variable", get("/api/v1/probes/{probe}") + "@", 200));
    rows.add(
        new Row("a literal variable without a token", get("/api/v1/probes/{probe}") + "~", 401));
    rows.add(new Row("the absolute form", get("http://own.example/api/v1/jobs") + "@", 200));
    rows.add(new Row("absolute without a token", get("http://own.example/api/v1/jobs") + "~", 401));
    rows.add(new Row("absolute, another host", get("http://evil.example/api/v1/jobs") + "@", 421));
    rows.add(new Row("the description without a token", get("/api/v1/openapi.json") + "~", 401));
    rows.add(new Row("the description", get("/api/v1/openapi.json") + "@", 200));
    return rows.stream();
  }

  static Stream<Row> queries() {
    String many = String.join("&", Collections.nCopies(100, "note=x"));
    StringBuilder different = new StringBuilder("note=x");
    for (int i = 0; i < 100; i++) {
      different.append("&n").append(i).append("=x");
    }
    return Stream.of(
        new Row("a text", get("/api/v1/probes/x?note=y") + "@", 200),
        new Row(
            "a text that is too long",
            get("/api/v1/probes/x?note=" + "y".repeat(2_000)) + "@",
            422),
        new Row("a huge one", get("/api/v1/probes/x?note=" + "y".repeat(100_000)) + "@", 414),
        new Row("one hundred names", get("/api/v1/probes/x?" + different) + "@", 400),
        new Row("one name a hundred times", get("/api/v1/probes/x?" + many) + "@", 200),
        new Row("one that is not known", get("/api/v1/probes/x?admin=true") + "@", 422),
        new Row("one that is in the path", get("/api/v1/probes/x?probe=y") + "@", 400),
        new Row("a control character", get("/api/v1/probes/x?note=%01") + "@", 422),
        new Row("a token beside the header", get("/api/v1/jobs?access_token=TOKEN") + "@", 400),
        new Row("a token alone", get("/api/v1/jobs?access_token=TOKEN") + "~", 400),
        new Row("a token by another name", get("/api/v1/probes/x?note=TOKEN") + "~", 400),
        new Row(
            "input of a POST", "POST /api/v1/probes/x?note=y HTTP/1.1@\nContent-Length: 0", 400));
  }

  static Stream<Row> heads() {
    String jobs = get("/api/v1/jobs");
    return Stream.of(
        new Row("nothing else", jobs + "@", 200),
        new Row("another host", jobs + "\nHost: evil.example\nAuthorization: Bearer TOKEN", 421),
        new Row("another address", jobs + "\nHost: 192.0.2.1\nAuthorization: Bearer TOKEN", 421),
        new Row("any address", jobs + "\nHost: 0.0.0.0\nAuthorization: Bearer TOKEN", 421),
        new Row("127.0.0.1", jobs + "\nHost: 127.0.0.1:80\nAuthorization: Bearer TOKEN", 200),
        new Row("::1", jobs + "\nHost: [::1]:80\nAuthorization: Bearer TOKEN", 200),
        new Row("localhost", jobs + "\nHost: localhost\nAuthorization: Bearer TOKEN", 200),
        new Row(
            "the other host", jobs + "\nHost: OTHER.example.:80\nAuthorization: Bearer TOKEN", 200),
        new Row(
            "127.evil", jobs + "\nHost: 127.0.0.1.evil.example\nAuthorization: Bearer TOKEN", 421),
        new Row(
            "a host with a user",
            jobs + "\nHost: own.example!@evil.example\nAuthorization: x",
            400),
        new Row("no host", jobs + "\nAuthorization: Bearer TOKEN", 400),
        new Row("an empty host", jobs + "\nHost: \nAuthorization: Bearer TOKEN", 421),
        new Row("two hosts", jobs + "@\nHost: evil.example", 400),
        new Row("forwarded for another host", jobs + "@\nX-Forwarded-Host: evil.example", 200),
        new Row("a page of another site", jobs + "@\nSec-Fetch-Site: cross-site", 403),
        new Row("a page of the same site", jobs + "@\nSec-Fetch-Site: same-site", 403),
        new Row("a page of nowhere", jobs + "@\nSec-Fetch-Site: nonsense", 403),
        new Row("two sites", jobs + "@\nSec-Fetch-Site: none\nSec-Fetch-Site: cross-site", 403),
        new Row("its own page", jobs + "@\nSec-Fetch-Site: same-origin", 200),
        new Row("the address line", jobs + "@\nSec-Fetch-Site: none", 200),
        new Row("no token", jobs + "~", 401),
        new Row("two tokens", jobs + "@\nAuthorization: Bearer TOKEN", 401),
        new Row("a cookie", jobs + "~\nCookie: token=TOKEN", 401),
        new Row("another scheme", jobs + "~\nAuthorization: Basic cm9vdDpyb290", 401),
        new Row("a token without a scheme", jobs + "~\nAuthorization: TOKEN", 401),
        new Row("another field", jobs + "~\nX-Api-Key: TOKEN", 401),
        new Row("TRACE", "TRACE /api/v1/jobs HTTP/1.1@", 501),
        new Row("CONNECT", "CONNECT own.example:443 HTTP/1.1@", 400),
        new Row("OPTIONS", "OPTIONS /api/v1/jobs HTTP/1.1@", 405),
        new Row("OPTIONS without a token", "OPTIONS /api/v1/jobs HTTP/1.1~", 401),
        new Row(
            "a question of another origin",
            "OPTIONS /api/v1/jobs HTTP/1.1~\nOrigin: https://evil.example"
                + "\nAccess-Control-Request-Method: GET",
            401),
        new Row("HEAD", "HEAD /api/v1/jobs HTTP/1.1@", 200),
        new Row("HEAD without a token", "HEAD /api/v1/jobs HTTP/1.1~", 401),
        new Row("HEAD of a change", "HEAD /api/v1/probes/x/y HTTP/1.1@", 404),
        new Row("PUT", "PUT /api/v1/probes/x HTTP/1.1@\nContent-Length: 0", 405),
        new Row("another method in a field", jobs + "@\nX-HTTP-Method-Override: DELETE", 200));
  }

  static Stream<Row> bodies() {
    String form = "note=y";
    String json = "{\"note\":\"y\"}";
    String deep = "{\"note\":" + "[".repeat(1_000) + "]".repeat(1_000) + "}";
    String twice = "{\"note\":\"y\",\"note\":\"z\"}";
    String more = "{\"note\":\"y\",\"admin\":true}";
    return Stream.of(
        new Row("a form", post("application/x-www-form-urlencoded", form), form, 415),
        new Row("a plain text", post("text/plain", json), json, 415),
        new Row("several parts", post("multipart/form-data; boundary=x", form), form, 415),
        new Row("no type", "POST /api/v1/probes/x HTTP/1.1@\nContent-Length: 12", json, 415),
        new Row("a list", post("application/json", "[]"), "[]", 400),
        new Row("no JSON", post("application/json", "{\"note\":"), "{\"note\":", 400),
        new Row("a name twice", post("application/json", twice), twice, 400),
        new Row("a thousand levels", post("application/json", deep), deep, 400),
        new Row(
            "no UTF-8",
            post("application/json", "{\"note\":\"\u00ff\"}"),
            "{\"note\":\"\u00ff\"}",
            400),
        new Row("more than there is", post("application/json", more), more, 422),
        new Row("another kind", post("application/json", "{\"note\":7}"), "{\"note\":7}", 422),
        new Row(
            "the path again",
            post("application/json", "{\"probe\":\"y\"}"),
            "{\"probe\":\"y\"}",
            400),
        new Row(
            "a huge one",
            "POST /api/v1/probes/x HTTP/1.1@" + JSON + "\nContent-Length: 99999999999",
            413),
        new Row(
            "a long one",
            post("application/json", "{\"note\":\"" + "y".repeat(1_100_000) + "\"}"),
            "{\"note\":\"" + "y".repeat(1_100_000) + "\"}",
            413));
  }

  static Stream<Row> lengths() {
    String json = "{\"note\":\"y\"}";
    return Stream.of(
        new Row("two lengths", post("application/json", json) + "\nContent-Length: 3", json, 400),
        new Row(
            "a length and chunks",
            post("application/json", json) + "\nTransfer-Encoding: chunked",
            json,
            400),
        new Row(
            "one of a DELETE",
            "DELETE /api/v1/probes/x HTTP/1.1@" + JSON + "\nContent-Length: 12",
            json,
            400),
        new Row(
            "one of a GET",
            "GET /api/v1/probes/x HTTP/1.1@" + JSON + "\nContent-Length: 12",
            json,
            400),
        new Row(
            "a token without a name",
            "POST /api/v1/tokens HTTP/1.1@" + JSON + "\nContent-Length: 24",
            "{\"role\":\"server-admin\" }",
            422),
        new Row(
            "a token that makes tokens",
            "POST /api/v1/tokens HTTP/1.1@" + JSON + "\nContent-Length: 36",
            "{\"name\":\"more\",\"role\":\"read-only\"}  ",
            403));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"paths", "queries", "heads", "bodies", "lengths"})
  void isAnswered(Row row) throws IOException {
    String response = send(row.head(), row.body());
    assertThat(RunningApi.status(response)).as(response).isEqualTo(row.status());
    assertThat(response)
        .doesNotContain(token)
        .doesNotContainIgnoringCase("access-control-", "set-cookie");
    if (response.contains("Content-Type: application/problem+json")
        && !row.head().startsWith("HEAD")) {
      assertThat(response).contains("\"status\":" + row.status()).contains("no-store");
    }
    if (row.status() == 401) {
      assertThat(response).containsIgnoringCase("WWW-Authenticate: Bearer");
    }
  }

  @Test
  void everyRouteNeedsAToken() throws IOException {
    for (Operation<?, ?> each : StandardOperations.ALL) {
      String path = each.route().path().replaceAll("\\{[^}]*\\}", "x");
      String response =
          send(each.route().method() + " /api/v1" + path + " HTTP/1.1~\nContent-Length: 0", "");
      assertThat(RunningApi.status(response)).as(each.name()).isEqualTo(401);
    }
  }

  @Test
  void namesAreWrittenAsJson() throws IOException {
    String response =
        send(get("/api/v1/probes/%22%3cscript%3e%e2%80%ae%5d?note=%22,%22role%22:%22x") + "@", "");
    assertThat(response)
        .contains("{\"words\":\"\\\"<script>\\u202e]\",\"note\":\"\\\",\\\"role\\\":\\\"x\"}")
        .containsIgnoringCase("Content-Type: application/json")
        .containsIgnoringCase("X-Content-Type-Options: nosniff");
    String refused = send(get("/api/v1/probes/x?%22%3cscript%3e%e2%80%ae=y") + "@", "");
    assertThat(refused).contains("There is no \\\"<script>\\u202e here");
  }

  @Test
  void aTokenThatHasExpiredOrWasRevokedOrHasLessIsRefused() throws IOException {
    String narrow = api.token("narrow", new Grant(Role.SERVER_ADMIN, null, Set.of(Right.ACCOUNTS)));
    String reader = api.token("reader", new Grant(Role.READ_ONLY, null, null));
    String limited =
        api.token("limited", new Grant(Role.SERVER_ADMIN, Set.of("own.example"), null));
    tokens = 4;
    String jobs = "GET /api/v1/jobs HTTP/1.1\nHost: own.example\nAuthorization: Bearer ";
    String touch =
        "POST /api/v1/probes/x HTTP/1.1\nHost: own.example\nContent-Length: 0\nAuthorization: Bearer ";
    String brief =
        Objects.requireNonNull(
            api.tokens.create("brief", Grant.ALL, "test", api.clock.instant().plusSeconds(60)));
    assertThat(api.send(jobs + brief, "")).contains(" 200 ");
    api.clock.advance(Duration.ofSeconds(60));
    assertThat(api.send(jobs + brief, "")).contains(" 401 ");
    assertThat(api.tokens.revoke("brief")).isTrue();
    assertThat(api.send(jobs + narrow, "")).contains(" 403 ", "it needs the right server");
    assertThat(api.send(jobs + limited, "")).contains(" 403 ");
    assertThat(api.send(jobs + reader, "")).contains(" 200 ");
    assertThat(api.send(touch + reader, "")).contains(" 403 ", "the right server to change");
    assertThat(api.tokens.revoke("reader")).isTrue();
    tokens = 3;
    assertThat(api.send(jobs + reader, "")).contains(" 401 ");
    assertThat(api.tokens.revoke("narrow")).isTrue();
    assertThat(api.tokens.revoke("limited")).isTrue();
    tokens = 1;
    assertThat(api.tokens.revoke("limited")).isFalse();
  }

  @Test
  void theHourAndTheAddressOfTheLastUseAreKept() throws IOException {
    assertThat(send(get("/api/v1/jobs") + "@", "")).contains(" 200 ");
    TokenOperations.Listed listed =
        ((Outcome.Done<TokenOperations.Listed>)
                api.operations.run(
                    api.owner(), TokenOperations.LIST, new TokenOperations.Page(null, 500)))
            .result();
    assertThat(listed.tokens())
        .singleElement()
        .satisfies(each -> {
          assertThat(each.used()).isEqualTo(api.clock.instant().truncatedTo(ChronoUnit.HOURS));
          assertThat(each.address()).isEqualTo("127.0.0.1");
        });
  }

  @Test
  void tokensAreComparedInConstantTime() {
    JavaClasses classes = new ClassFileImporter().importClasses(ApiToken.class, ApiTokens.class);
    assertThat(
            classes.get(ApiToken.class).getMethod("matches", byte[].class).getMethodCallsFromSelf())
        .anyMatch(each -> each.getTargetOwner().isEquivalentTo(MessageDigest.class));
    assertThat(classes.get(ApiTokens.class).getMethodCallsFromSelf())
        .as("the stored hash is read by matches() alone")
        .noneMatch(each ->
            each.getTargetOwner().isEquivalentTo(ApiToken.class)
                && each.getName().equals("hash")
                && each.getTarget().getRawParameterTypes().isEmpty());
  }

  @Test
  void aSlowBodyIsGivenUp() throws IOException {
    try (Socket socket = api.connect()) {
      String head = post("application/json", "{\"note\":\"y\"}");
      String host = "\nHost: own.example\nAuthorization: Bearer " + token;
      socket
          .getOutputStream()
          .write(
              (head.replace("@", host) + "\n\n{\"no")
                  .replace("\n", "\r\n")
                  .getBytes(StandardCharsets.ISO_8859_1));
      String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(RunningApi.status(response)).isEqualTo(408);
    }
  }

  @Test
  void aHundredConnectionsDoNotKeepOthersOut() throws IOException {
    List<Socket> open = new ArrayList<>();
    try {
      for (int i = 0; i < 100; i++) {
        Socket socket = api.connect();
        socket
            .getOutputStream()
            .write("GET /api/v1/jobs HTTP/1.1\r\nHost:".getBytes(StandardCharsets.US_ASCII));
        open.add(socket);
      }
      assertThat(send(get("/api/v1/jobs") + "@", "")).contains(" 200 ");
    } finally {
      for (Socket each : open) {
        each.close();
      }
    }
  }

  @Test
  void wrongTokensAreDelayedAndThenRefusedUnread(@TempDir Path folder) throws Exception {
    try (RunningApi other =
            new RunningApi(folder, new Api(List.of("127.0.0.1:0"), List.of(), List.of()));
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      String right = other.token("right", Grant.ALL);
      String jobs = "GET /api/v1/jobs HTTP/1.1\nHost: own.example\nAuthorization: Bearer ";
      for (int i = 0; i < 3; i++) {
        assertThat(other.send(jobs + "zonda_wrong", "")).contains(" 401 ");
      }
      int timers = other.clock.pending();
      List<Future<String>> waiting = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        waiting.add(clients.submit(() -> other.send(jobs + "zonda_wrong", "")));
      }
      Eventually.await("eight wait", () -> other.clock.pending() == timers + 8);
      assertThat(waiting).noneMatch(Future::isDone);
      assertThat(other.send(jobs + right, "")).as("one too many").contains(" 429 ");
      other.clock.advance(Duration.ofSeconds(10));
      for (Future<String> each : waiting) {
        assertThat(each.get()).contains(" 401 ");
      }
      other.clock.advance(Duration.ofHours(1));
      assertThat(other.send(jobs + right, "")).as("later").contains(" 200 ");
    }
  }

  @Test
  void othersThanTheAllowedNetworksAreRefused(@TempDir Path folder) throws Exception {
    try (RunningApi other =
        new RunningApi(
            folder, new Api(List.of("127.0.0.1:0"), List.of(), List.of("192.0.2.0/24")))) {
      String right = other.token("right", Grant.ALL);
      assertThat(
              other.send(
                  "GET /api/v1/jobs HTTP/1.1\nHost: own.example\nAuthorization: Bearer " + right,
                  ""))
          .contains(" 403 ", "Requests from this address are not answered");
    }
  }
}
