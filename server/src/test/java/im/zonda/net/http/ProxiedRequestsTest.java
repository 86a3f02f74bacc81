package im.zonda.net.http;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.BoshLimits;
import im.zonda.config.limits.ConnectionLimits;
import im.zonda.config.limits.HttpLimits;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.http.HttpRoute;
import im.zonda.net.proxy.AddressRanges;
import im.zonda.net.proxy.ProxyBytes;
import im.zonda.net.proxy.ProxyHeaders;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Limits behind proxies: 127.0.0.1 is one, other addresses of this machine are strangers.
@Timeout(120)
class ProxiedRequestsTest {
  private static final String A = "198.51.100.4";
  private static final String B = "198.51.100.5";
  private static final int MAX_REQUESTS = 1_000; // as of HttpServer

  @TempDir private Path folder;
  private final CountDownLatch released = new CountDownLatch(1);
  private final Semaphore held = new Semaphore(0);
  private final Deque<Socket> sockets = new ArrayDeque<>();
  private @Nullable TestHttpServer started;

  private void start(int connectionsPerAddress) throws IOException {
    HttpLimits limits = limits(connectionsPerAddress);
    started = new TestHttpServer(folder, limits, routes(), List.of("127.0.0.1"), each -> each);
  }

  private TestHttpServer server() {
    return Objects.requireNonNull(started);
  }

  private static HttpLimits limits(int connectionsPerAddress) {
    return new HttpLimits(
        connectionsPerAddress,
        new ConnectionLimits(0, 1, 10_000),
        4_096,
        32,
        8,
        Duration.ofSeconds(60),
        Duration.ofSeconds(60),
        Duration.ofSeconds(60),
        BoshLimits.DEFAULTS);
  }

  private List<HttpRoute> routes() {
    return List.of(
        HttpRoute.exact(
            "/who",
            HttpMethod.GET,
            request -> HttpResponse.text(200, request.remoteAddress().getHostAddress())),
        HttpRoute.exact("/shared", HttpMethod.GET, _ -> HttpResponse.text(200, "shared"))
            .crossOrigin(),
        HttpRoute.exact("/held", HttpMethod.GET, this::hold));
  }

  private HttpResponse hold(HttpRequest request) throws IOException {
    held.release();
    try {
      released.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    return HttpResponse.text(200, "held");
  }

  @AfterEach
  void stop() throws IOException {
    released.countDown();
    for (Socket each : sockets) {
      each.close();
    }
    server().close();
  }

  /// A request of a client that the proxy forwards, on a connection of its own.
  private Socket request(String path, String client) throws IOException {
    return request(path, client, "127.0.0.1");
  }

  private Socket request(String path, String client, String from) throws IOException {
    Socket socket = server().connect(from);
    sockets.push(socket);
    send(socket, path, client);
    return socket;
  }

  private static void send(Socket socket, String path, String client) throws IOException {
    String request =
        "GET %s HTTP/1.1\r\nHost: example.org\r\nX-Forwarded-For: %s\r\n\r\n"
            .formatted(path, client);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
  }

  private static String answer(Socket socket) throws IOException {
    return TestHttpServer.until(socket.getInputStream(), "\r\n\r\n")
        + TestHttpServer.until(socket.getInputStream(), "\n");
  }

  private void awaitHeld(int requests) throws InterruptedException {
    assertThat(held.tryAcquire(requests, 60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void theConnectionsOfAProxyAreNotLimited() throws Exception {
    start(2);
    for (int i = 0; i < 8; i++) {
      assertThat(answer(request("/who", "198.51.100." + i))).endsWith("198.51.100." + i + "\n");
    }
    // Connections that the proxy keeps count for no client: here a ninth for the first.
    assertThat(answer(request("/who", "198.51.100.0"))).startsWith("HTTP/1.1 200 ");
    Socket again = sockets.peekLast();
    for (int i = 0; i < 5; i++) {
      send(again, "/who", B);
      assertThat(answer(again)).endsWith(B + "\n");
    }
  }

  @Test
  void row30_aClientBehindAProxyHasOnlySoManyRequestsAtATime() throws Exception {
    start(2);
    Socket first = request("/held", A);
    Socket second = request("/held", A);
    awaitHeld(2);
    assertThat(answer(request("/who", A))).startsWith("HTTP/1.1 429 ");
    assertThat(answer(request("/who", B))).startsWith("HTTP/1.1 200 ");
    released.countDown();
    assertThat(answer(first)).startsWith("HTTP/1.1 200 ");
    assertThat(answer(second)).startsWith("HTTP/1.1 200 ");
    // A request counts until a moment after its answer has left.
    String next = answer(request("/who", A));
    while (next.startsWith("HTTP/1.1 429 ")) {
      next = answer(request("/who", A));
    }
    assertThat(next).startsWith("HTTP/1.1 200 ");
  }

  /// Scripts of other origins learn why a preflight (CORS) was rejected, as of any other request.
  @Test
  void aPreflightThatIsOneTooManyIsReadableToItsOrigin() throws Exception {
    start(2);
    // Of another client: a request counts until a moment after its answer has left.
    assertThat(preflight("/shared", "198.51.100.6")).startsWith("HTTP/1.1 204 ");
    Socket _ = request("/held", A);
    Socket _ = request("/held", A);
    awaitHeld(2);
    assertThat(preflight("/shared", A))
        .startsWith("HTTP/1.1 429 ")
        .contains("\r\nAccess-Control-Allow-Origin: *\r\n");
    assertThat(preflight("/who", A))
        .startsWith("HTTP/1.1 429 ")
        .doesNotContain("Access-Control-Allow-Origin");
    assertThat(preflight("/shared", B))
        .startsWith("HTTP/1.1 204 ")
        .contains("\r\nAccess-Control-Allow-Origin: *\r\n");
  }

  private String preflight(String path, String client) throws IOException {
    Socket socket = server().connect("127.0.0.1");
    sockets.push(socket);
    String request =
        String.join(
            "\r\n",
            "OPTIONS " + path + " HTTP/1.1",
            "Host: b.example",
            "Origin: https://app.example",
            "Access-Control-Request-Method: GET",
            "X-Forwarded-For: " + client,
            "\r\n");
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return TestHttpServer.until(socket.getInputStream(), "\r\n\r\n");
  }

  @Test
  void row30_strangersHaveTheLimitsOfTheirOwnAddressWhateverTheySay() throws Exception {
    start(2);
    assertThat(answer(request("/who", A, "127.0.0.2"))).endsWith("127.0.0.2\n");
    assertThat(answer(request("/who", B, "127.0.0.2"))).endsWith("127.0.0.2\n");
    try (Socket third = server().connect("127.0.0.2")) {
      assertThat(isClosed(third)).isTrue();
    }
  }

  /// When too many requests are handled, the newest of the client with the most is ended.
  @Test
  void row30_aFloodOfOneClientBehindAProxyEndsThatClientsRequests() throws Exception {
    start(0);
    List<Socket> flood = new ArrayList<>();
    for (int i = 0; i < MAX_REQUESTS; i++) {
      flood.add(request("/held", A));
    }
    awaitHeld(MAX_REQUESTS);
    Socket other = request("/held", B);
    awaitHeld(1);
    released.countDown();
    assertThat(answer(other)).startsWith("HTTP/1.1 200 ");
    int ended = 0;
    for (Socket each : flood) {
      ended += isClosed(each) ? 1 : 0;
    }
    assertThat(ended).isEqualTo(1);
  }

  private static boolean isClosed(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) {
      return true; // by a reset
    }
  }

  /// One connection by HTTP/2 carries requests of many clients at a time.
  @Test
  void row30_requestsByHttp2CountForTheirClients() throws Exception {
    start(2);
    try (HttpClient proxy =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_2)
            .sslContext(TrustAll.context())
            .build()) {
      var first = proxy.sendAsync(by(A, "/held"), BodyHandlers.ofString());
      var second = proxy.sendAsync(by(A, "/held"), BodyHandlers.ofString());
      awaitHeld(2);
      assertThat(proxy.send(by(A, "/who"), BodyHandlers.ofString()).statusCode()).isEqualTo(429);
      var other = proxy.send(by(B, "/who"), BodyHandlers.ofString());
      assertThat(other.version()).isEqualTo(HttpClient.Version.HTTP_2);
      assertThat(other.body()).isEqualTo(B + "\n");
      released.countDown();
      assertThat(first.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
      assertThat(second.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
      int next = proxy.send(by(A, "/who"), BodyHandlers.ofString()).statusCode();
      while (next == 429) {
        next = proxy.send(by(A, "/who"), BodyHandlers.ofString()).statusCode();
      }
      assertThat(next).isEqualTo(200);
    }
  }

  private java.net.http.HttpRequest by(String client, String path) {
    return java.net.http.HttpRequest.newBuilder(
            URI.create("https://localhost:" + server().tls.getPort() + path))
        .header("X-Forwarded-For", client)
        .build();
  }

  @Test
  void row30_webSocketsCountForTheirClients() throws Exception {
    start(2);
    assertThat(upgrade(A)).startsWith("HTTP/1.1 101 ");
    assertThat(upgrade(A)).startsWith("HTTP/1.1 101 ");
    assertThat(upgrade(A)).startsWith("HTTP/1.1 429 ");
    assertThat(upgrade(B)).startsWith("HTTP/1.1 101 ");
  }

  private String upgrade(String client) throws IOException {
    Socket socket = server().connect();
    sockets.push(socket);
    String request =
        """
        GET /xmpp-websocket HTTP/1.1\r
        Host: example.org\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        Sec-WebSocket-Protocol: xmpp\r
        X-Forwarded-For: %s\r
        \r
        """
            .formatted(client);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return TestHttpServer.until(socket.getInputStream(), "\r\n\r\n");
  }

  /// The address in the header of the PROXY protocol counts from the beginning of the connection.
  @Test
  void aListenerMayExpectTheHeaderOfTheProxyProtocol() throws Exception {
    ProxyHeaders headers =
        new ProxyHeaders(new AddressRanges(List.of("127.0.0.1")), Duration.ofSeconds(20));
    started =
        new TestHttpServer(folder, limits(2), routes(), List.of(), each -> each.behind(headers));
    for (String client : List.of(A, A, B, B)) {
      Socket socket = server().connect();
      sockets.push(socket);
      socket.getOutputStream().write(ProxyBytes.binaryFor(client));
      send(socket, "/who", "203.0.113.1");
      assertThat(answer(socket)).endsWith(client + "\n");
    }
    Socket third = server().connect();
    sockets.push(third);
    third.getOutputStream().write(ProxyBytes.lineFor(A));
    assertThat(isClosed(third)).isTrue();
  }
}
