package im.zonda.net.http;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.BoshLimits;
import im.zonda.config.limits.ConnectionLimits;
import im.zonda.config.limits.HttpLimits;
import im.zonda.http.HttpException;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.http.HttpRoute;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class HttpServerTest {
  private static final String HOST = "Host: example.org\r\n";
  private static final String CLOSE = "Connection: close\r\n";
  private static final HttpLimits LIMITS =
      new HttpLimits(
          0,
          ConnectionLimits.DEFAULTS,
          4_096,
          32,
          8,
          Duration.ofMillis(1_500),
          Duration.ofMillis(1_500),
          Duration.ofMillis(1_500),
          BoshLimits.DEFAULTS);

  @TempDir private Path folder;
  private final CountDownLatch ended = new CountDownLatch(1);
  private TestHttpServer server;

  @BeforeEach
  void start() throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[300_000]);
    List<HttpRoute> routes = new ArrayList<>();
    routes.add(
        HttpRoute.exact(
                "/hello",
                HttpMethod.GET,
                request -> HttpResponse.text(200, "hello of " + request.domain()))
            .crossOrigin());
    routes.add(HttpRoute.exact("/count", HttpMethod.POST, this::count));
    routes.add(
        new HttpRoute(
            "/small",
            false,
            Set.of(HttpMethod.PUT, HttpMethod.DELETE),
            false,
            request ->
                HttpResponse.bytes(200, "application/octet-stream", request.body().collect(8))));
    routes.add(
        HttpRoute.below(
            "/below/",
            HttpMethod.GET,
            request -> HttpResponse.text(200, request.path() + " " + request.query())));
    routes.add(
        HttpRoute.exact(
            "/file",
            HttpMethod.GET,
            request -> HttpResponse.file(200, "video/mp4", file, 100, 250_000)));
    routes.add(
        HttpRoute.exact(
            "/stream",
            HttpMethod.GET,
            request -> HttpResponse.stream(200, "text/plain", -1, HttpServerTest::parts)));
    routes.add(
        HttpRoute.exact(
                "/fail",
                HttpMethod.GET,
                request -> {
                  throw new IllegalStateException("a defect");
                })
            .crossOrigin());
    routes.add(
        HttpRoute.exact(
                "/teapot",
                HttpMethod.GET,
                request -> {
                  throw new HttpException(418, "I am a teapot");
                })
            .crossOrigin());
    server = new TestHttpServer(folder, LIMITS, routes);
  }

  private static void parts(im.zonda.http.HttpContent.Output output) throws IOException {
    for (int i = 0; i < 3; i++) {
      output.write(("part " + i + "\n").getBytes(StandardCharsets.US_ASCII), 0, 7);
    }
  }

  /// Counts the bytes of a body of any length.
  private HttpResponse count(HttpRequest request) throws IOException {
    byte[] part = new byte[8_192];
    long size = 0;
    try {
      int more = request.body().read(part, 0, part.length);
      while (more >= 0) {
        size += more;
        more = request.body().read(part, 0, part.length);
      }
    } finally {
      ended.countDown();
    }
    return HttpResponse.text(200, "bytes: " + size);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String get(String path, String fields) throws IOException {
    return server.exchange("GET " + path + " HTTP/1.1\r\n" + HOST + CLOSE + fields + "\r\n");
  }

  @Test
  void aRouteIsServedWithSecurityHeaders() throws Exception {
    assertThat(get("/hello", ""))
        .startsWith("HTTP/1.1 200 OK\r\n")
        .containsIgnoringCase("\r\ncontent-length: 21\r\n")
        .contains("\r\nX-Content-Type-Options: nosniff\r\n")
        .contains("\r\nContent-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n")
        .containsIgnoringCase("\r\ndate: ")
        .endsWith("\r\n\r\nhello of example.org\n");
    assertThat(get("/below/a/b?x=1&y=%C3%A4+b", ""))
        .endsWith("/below/a/b {x=1, y=\u00c3\u00a4 b}\n");
    assertThat(get("/nothing", "")).startsWith("HTTP/1.1 404 ");
    assertThat(get("/teapot", "")).startsWith("HTTP/1.1 418 ").endsWith("I am a teapot.\n");
    assertThat(get("/fail", "")).startsWith("HTTP/1.1 500 ").doesNotContain("defect");
  }

  @Test
  void headAndOptionsAndOtherMethods() throws Exception {
    assertThat(server.exchange("HEAD /hello HTTP/1.1\r\n" + HOST + CLOSE + "\r\n"))
        .containsIgnoringCase("\r\ncontent-length: 21\r\n")
        .endsWith("\r\n\r\n");
    assertThat(server.exchange("POST /hello HTTP/1.1\r\n" + HOST + CLOSE + "\r\n"))
        .startsWith("HTTP/1.1 405 ")
        .contains("\r\nAllow: GET, HEAD, OPTIONS\r\n");
    assertThat(server.exchange("OPTIONS /small HTTP/1.1\r\n" + HOST + CLOSE + "\r\n"))
        .startsWith("HTTP/1.1 204 ")
        .contains("\r\nAllow: PUT, DELETE, OPTIONS\r\n")
        .doesNotContain("Access-Control");
    assertThat(server.exchange("TRACE /hello HTTP/1.1\r\n" + HOST + CLOSE + "\r\n"))
        .startsWith("HTTP/1.1 501 ");
  }

  @Test
  void otherOriginsMayUseWhatIsMeantForThem() throws Exception {
    assertThat(get("/hello", "Origin: https://app.example\r\n"))
        .contains("\r\nAccess-Control-Allow-Origin: https://app.example\r\n")
        .contains("\r\nVary: Origin\r\n");
    assertThat(get("/hello", "Origin: https://evil.example\r\n"))
        .doesNotContain("Access-Control-Allow-Origin")
        .contains("\r\nVary: Origin\r\n");
    assertThat(get("/below/x", "Origin: https://app.example\r\n")).doesNotContain("Access-Control");
    assertThat(
            server.exchange(
                "OPTIONS /hello HTTP/1.1\r\n"
                    + HOST
                    + CLOSE
                    + "Origin: https://app.example\r\nAccess-Control-Request-Headers: X-A, x-b\r\n"
                    + "\r\n"))
        .contains("\r\nAccess-Control-Allow-Methods: GET, HEAD, OPTIONS\r\n")
        .contains("\r\nAccess-Control-Allow-Headers: X-A, x-b\r\n");
  }

  /// Otherwise a page learns nothing but that the request has failed.
  @Test
  void otherOriginsMayReadErrorsToo() throws Exception {
    String app = "Origin: https://app.example\r\n";
    String allowed = "\r\nAccess-Control-Allow-Origin: https://app.example\r\n";
    assertThat(get("/teapot", app)).startsWith("HTTP/1.1 418 ").contains(allowed);
    assertThat(get("/fail", app)).startsWith("HTTP/1.1 500 ").contains(allowed);
    assertThat(server.exchange("POST /hello HTTP/1.1\r\n" + HOST + CLOSE + app + "\r\n"))
        .startsWith("HTTP/1.1 405 ")
        .contains(allowed);
    String many = app + "X: a\r\n".repeat(40);
    assertThat(get("/hello", many)).startsWith("HTTP/1.1 431 ").contains(allowed);
    assertThat(get("/below/x", many)).startsWith("HTTP/1.1 431 ").doesNotContain("Access-Control");
    assertThat(get("/teapot", "Origin: https://evil.example\r\n"))
        .startsWith("HTTP/1.1 418 ")
        .doesNotContain("Access-Control-Allow-Origin");
  }

  @Test
  void eachHostHasOriginsOfItsOwn() throws Exception {
    String start = "GET /hello HTTP/1.1\r\n" + CLOSE;
    String app = "Origin: https://app.example\r\n";
    assertThat(server.exchange(start + "Host: other.example\r\n" + app + "\r\n"))
        .doesNotContain("Access-Control-Allow-Origin")
        .contains("\r\nVary: Origin\r\n");
    String own = "Host: other.example\r\nOrigin: https://app.other.example\r\n\r\n";
    assertThat(server.exchange(start + own))
        .contains("\r\nAccess-Control-Allow-Origin: https://app.other.example\r\n");
    assertThat(server.exchange(start + own.replace("Host: other", "Host: b")))
        .contains("\r\nAccess-Control-Allow-Origin: *\r\n")
        .doesNotContain("Vary");
    assertThat(get("/hello", "Origin: https://app.other.example\r\n"))
        .doesNotContain("Access-Control-Allow-Origin");
    assertThat(server.exchange("OPTIONS" + start.substring(3) + own))
        .contains("\r\nAccess-Control-Allow-Origin: https://app.other.example\r\n");
  }

  @Test
  void theHostIsChosenByName() throws Exception {
    String start = "GET /hello HTTP/1.1\r\n" + CLOSE;
    assertThat(server.exchange(start + "Host: B.example:80\r\n\r\n")).endsWith("of b.example\n");
    assertThat(server.exchange(start + "Host: web.b.example\r\n\r\n")).endsWith("of b.example\n");
    assertThat(server.exchange(start + "Host: [::1]:5280\r\n\r\n")).endsWith("of example.org\n");
    assertThat(server.exchange(start + "Host: 127.0.0.1\r\n\r\n")).endsWith("of example.org\n");
    assertThat(server.exchange(start + "Host: localhost\r\n\r\n")).endsWith("of example.org\n");
    assertThat(server.exchange(start + "Host: c.example\r\n\r\n")).startsWith("HTTP/1.1 421 ");
    assertThat(server.exchange(start + "Host: a b\r\n\r\n")).startsWith("HTTP/1.1 400 ");
    assertThat(server.exchange(start + "\r\n")).startsWith("HTTP/1.1 400 ");
    assertThat(server.exchange("GET /hello HTTP/1.0\r\n\r\n")).endsWith("of example.org\n");
    assertThat(server.exchange("GET http://b.example/hello HTTP/1.1\r\n" + CLOSE + HOST + "\r\n"))
        .endsWith("of b.example\n");
  }

  @Test
  void aConnectionIsUsedAgain() throws Exception {
    try (Socket socket = server.connect()) {
      OutputStream out = socket.getOutputStream();
      InputStream in = socket.getInputStream();
      for (int i = 0; i < 3; i++) {
        out.write(("GET /hello HTTP/1.1\r\n" + HOST + "\r\n").getBytes(StandardCharsets.US_ASCII));
        assertThat(TestHttpServer.until(in, "hello of example.org\n")).startsWith("HTTP/1.1 200 ");
      }
      // Several at once are answered in their order, those after a body too.
      String three =
          "POST /count HTTP/1.1\r\n"
              + HOST
              + "Content-Length: 5\r\n\r\nabcde"
              + "POST /count HTTP/1.1\r\n"
              + HOST
              + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
              + "GET /teapot HTTP/1.1\r\n"
              + HOST
              + "\r\n";
      out.write(three.getBytes(StandardCharsets.US_ASCII));
      assertThat(TestHttpServer.until(in, "teapot.\n"))
          .containsSubsequence("bytes: 5\n", "bytes: 3\n", "HTTP/1.1 418 ");
    }
  }

  @Test
  void bodiesAreStreamed() throws Exception {
    byte[] large = new byte[3_000_000];
    HttpClient client = HttpClient.newHttpClient();
    var counted =
        client.send(
            java.net.http.HttpRequest.newBuilder(uri("/count"))
                .POST(java.net.http.HttpRequest.BodyPublishers.ofByteArray(large))
                .expectContinue(true)
                .build(),
            java.net.http.HttpResponse.BodyHandlers.ofString());
    assertThat(counted.body()).isEqualTo("bytes: 3000000\n");
    var file =
        client.send(
            java.net.http.HttpRequest.newBuilder(uri("/file")).build(),
            java.net.http.HttpResponse.BodyHandlers.ofByteArray());
    assertThat(file.body()).hasSize(250_000);
    var streamed =
        client.send(
            java.net.http.HttpRequest.newBuilder(uri("/stream")).build(),
            java.net.http.HttpResponse.BodyHandlers.ofString());
    assertThat(streamed.headers().firstValue("transfer-encoding")).contains("chunked");
    assertThat(streamed.body()).isEqualTo("part 0\npart 1\npart 2\n");
    assertThat(server.exchange("GET /stream HTTP/1.0\r\n\r\n"))
        .doesNotContainIgnoringCase("transfer-encoding")
        .endsWith("part 0\npart 1\npart 2\n");
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.plain.getPort() + path);
  }

  @Test
  void tooLargeIsRejected() throws Exception {
    assertThat(
            server.exchange(
                "PUT /small HTTP/1.1\r\n" + HOST + "Content-Length: 9\r\n\r\nabcdefghi"))
        .startsWith("HTTP/1.1 413 ");
    assertThat(
            server.exchange(
                "PUT /small HTTP/1.1\r\n"
                    + HOST
                    + "Transfer-Encoding: chunked\r\n\r\n9\r\nabcdefghi\r\n0\r\n\r\n"))
        .startsWith("HTTP/1.1 413 ");
    assertThat(get("/" + "a".repeat(5_000), "")).startsWith("HTTP/1.1 414 ");
    assertThat(get("/hello", "X: " + "a".repeat(5_000) + "\r\n")).startsWith("HTTP/1.1 431 ");
    assertThat(get("/hello", "X: a\r\n".repeat(40))).startsWith("HTTP/1.1 431 ");
  }

  /// A client that waits for 100 (Continue) gets it only if the body is wanted.
  @Test
  void aBodyThatIsNotWantedIsNotSent() throws Exception {
    try (Socket socket = server.connect()) {
      String start = "Content-Length: 5\r\nExpect: 100-continue\r\n\r\n";
      OutputStream out = socket.getOutputStream();
      InputStream in = socket.getInputStream();
      out.write(("PUT /small HTTP/1.1\r\n" + HOST + start).getBytes(StandardCharsets.US_ASCII));
      assertThat(TestHttpServer.until(in, "\r\n\r\n")).startsWith("HTTP/1.1 100 ");
      out.write("abcde".getBytes(StandardCharsets.US_ASCII));
      assertThat(TestHttpServer.until(in, "abcde")).startsWith("HTTP/1.1 200 ");
      out.write(("GET /hello HTTP/1.1\r\n" + HOST + start).getBytes(StandardCharsets.US_ASCII));
      assertThat(TestHttpServer.rest(in))
          .startsWith("HTTP/1.1 200 ")
          .containsIgnoringCase("\r\nconnection: close\r\n");
    }
  }

  @Test
  void tlsIsSpokenWhereItShould() throws Exception {
    try (SSLSocket socket = TrustAll.connect(server.tls)) {
      socket
          .getOutputStream()
          .write(
              ("GET /hello HTTP/1.1\r\n" + HOST + CLOSE + "\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      assertThat(TestHttpServer.rest(socket.getInputStream())).endsWith("hello of example.org\n");
    }
  }

  /// Every kind of answer has the fields that protect browsers; a handler may set its own policy.
  @Test
  void everyAnswerHasTheSecurityHeaders() throws Exception {
    String missing = "GET /hello HTTP/1.1\r\n" + CLOSE + "\r\n";
    for (String request :
        List.of(
            "GET /hello HTTP/1.1\r\n" + HOST + CLOSE + "\r\n",
            "HEAD /hello HTTP/1.1\r\n" + HOST + CLOSE + "\r\n",
            "OPTIONS /hello HTTP/1.1\r\n" + HOST + CLOSE + "\r\n",
            "GET /file HTTP/1.1\r\n" + HOST + CLOSE + "\r\n",
            "GET /stream HTTP/1.1\r\n" + HOST + CLOSE + "\r\n",
            "GET /nothing HTTP/1.1\r\n" + HOST + CLOSE + "\r\n",
            "POST /hello HTTP/1.1\r\n" + HOST + CLOSE + "\r\n",
            "GET /teapot HTTP/1.1\r\n" + HOST + CLOSE + "\r\n",
            "GET /fail HTTP/1.1\r\n" + HOST + CLOSE + "\r\n",
            "GET /xmpp-websocket HTTP/1.1\r\n" + HOST + CLOSE + "\r\n",
            "TRACE /hello HTTP/1.1\r\n" + HOST + CLOSE + "\r\n",
            "GET /hello HTTP/1.1\r\nHost: c.example\r\n" + CLOSE + "\r\n",
            "GET /.well-known/acme-challenge/none HTTP/1.1\r\n" + HOST + CLOSE + "\r\n",
            "GET /" + "a".repeat(5_000) + " HTTP/1.1\r\n\r\n",
            "nonsense\r\n\r\n",
            missing)) {
      assertThat(server.exchange(request))
          .as(request.lines().findFirst().orElse(""))
          .startsWith("HTTP/1.1 ")
          .contains("\r\nX-Content-Type-Options: nosniff\r\n")
          .contains("\r\nX-Frame-Options: DENY\r\n")
          .contains("\r\nReferrer-Policy: no-referrer\r\n")
          .contains("\r\nContent-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n")
          .doesNotContainIgnoringCase("\r\nserver: ");
    }
  }

  /// A certificate authority asks for any domain that is to be in a certificate, also for those of
  /// services, which are no hosts.
  @Test
  void certificateAuthoritiesAreAnswered() throws Exception {
    String request = " /.well-known/acme-challenge/abc HTTP/1.1\r\nHost: rooms.example.org\r\n";
    assertThat(server.exchange("GET" + request + CLOSE + "\r\n")).startsWith("HTTP/1.1 421 ");
    server.http.answerChallenges(token -> token.equals("abc") ? "abc.key" : null);
    assertThat(server.exchange("GET" + request + CLOSE + "\r\n"))
        .startsWith("HTTP/1.1 200 ")
        .endsWith("\r\n\r\nabc.key");
    assertThat(server.exchange("PUT" + request + CLOSE + "\r\n")).startsWith("HTTP/1.1 421 ");
    assertThat(get("/.well-known/acme-challenge/other", "")).startsWith("HTTP/1.1 404 ");
  }

  /// Request smuggling: what a proxy in front could read otherwise is rejected and the connection
  /// closed, so that nothing that follows is read as a request.
  @Test
  void row101_smuggledRequestsAreRejected() throws Exception {
    String inner = "GET /teapot HTTP/1.1\r\n" + HOST + "\r\n";
    List<String> heads =
        List.of(
            "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
            "Content-Length: 4\r\nContent-Length: 5\r\n",
            "Content-Length: +4\r\n",
            "Content-Length: 4, 4\r\nX: a\r\n",
            "Content-Length: -1\r\n",
            "Transfer-Encoding : chunked\r\n",
            "Transfer-Encoding: chunked, identity\r\n",
            "Transfer-Encoding: xchunked\r\n",
            "Transfer-Encoding: chunked\nContent-Length: 4\r\n",
            "X: a\u0000b\r\n",
            "X\u0001: a\r\n",
            "Host: b.example\r\n");
    for (String head : heads) {
      String answer =
          server.exchange("POST /count HTTP/1.1\r\n" + HOST + head + "\r\n0\r\n\r\n" + inner);
      assertThat(answer).as(head).startsWith("HTTP/1.1 400 ").doesNotContain("418");
    }
  }

  @Test
  void row102_brokenChunksEndTheRequest() throws Exception {
    String start = "POST /count HTTP/1.1\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n";
    for (String chunks : List.of("zz\r\nabc\r\n", "-1\r\nabc\r\n", "3\r\nabcd\r\n0\r\n\r\n")) {
      assertThat(server.exchange(start + chunks))
          .as(chunks)
          .doesNotContain("bytes:")
          .doesNotStartWith("HTTP/1.1 200");
    }
  }

  @Test
  void row103_pathsThatAreReadDifferentlyAreRejected() throws Exception {
    for (String path :
        List.of(
            "/below/../hello",
            "/below/%2e%2e/hello",
            "/below/.%2E/hello",
            "/below//hello",
            "/below/./x",
            "/below/%2fx",
            "/below/..%5chello",
            "/below/\\x",
            "/below/%00",
            "/below/%0d%0aX:%20y",
            "/below/%zz",
            "/below/%c0%af",
            "/below/x#y",
            "hello",
            "//hello",
            "ftp://example.org/hello")) {
      assertThat(get(path, "")).as(path).startsWith("HTTP/1.1 400 ");
    }
  }

  @Test
  void row104_slowClientsAreDisconnected() throws Exception {
    try (Socket silent = server.connect();
        Socket half = server.connect();
        Socket body = server.connect()) {
      half.getOutputStream().write("GET /hello HT".getBytes(StandardCharsets.US_ASCII));
      body.getOutputStream()
          .write(
              ("POST /count HTTP/1.1\r\n" + HOST + "Content-Length: 100000\r\n\r\nabc")
                  .getBytes(StandardCharsets.US_ASCII));
      assertThat(TestHttpServer.rest(silent.getInputStream())).isEmpty();
      assertThat(TestHttpServer.rest(half.getInputStream())).isEmpty();
      assertThat(TestHttpServer.rest(body.getInputStream())).startsWith("HTTP/1.1 408 ");
    }
  }

  @Test
  void row105_aHandlerLearnsThatItsClientIsGone() throws Exception {
    try (Socket socket = server.connect()) {
      socket
          .getOutputStream()
          .write(
              ("POST /count HTTP/1.1\r\n" + HOST + "Content-Length: 100000\r\n\r\nabc")
                  .getBytes(StandardCharsets.US_ASCII));
    }
    assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void row106_aResponseIsNotSplit() {
    org.assertj.core.api.Assertions.assertThatThrownBy(
            () -> HttpResponse.redirect(303, "/x\r\nSet-Cookie: a=b"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
