package im.zonda.net.http;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.BoshLimits;
import im.zonda.config.limits.ConnectionLimits;
import im.zonda.config.limits.HttpLimits;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpResponse;
import im.zonda.http.HttpRoute;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// HTTP/2, with Java's own client where it can, and frame by frame where it must.
@Timeout(60)
class Http2Test {
  private static final int STREAMS = 8;
  private static final Duration SHORT = Duration.ofSeconds(3);
  private static final HttpLimits LIMITS =
      new HttpLimits(
          0,
          ConnectionLimits.DEFAULTS,
          4_096,
          32,
          STREAMS,
          SHORT,
          SHORT,
          SHORT,
          BoshLimits.DEFAULTS);
  private static final int FILE_BYTES = 3_000_000;
  private static final int MAX_CONCURRENT_STREAMS = 3;
  private static final int INITIAL_WINDOW_SIZE = 4;

  @TempDir private Path folder;
  private final AtomicInteger entered = new AtomicInteger();
  private final AtomicLong received = new AtomicLong();
  private final CountDownLatch released = new CountDownLatch(1);
  private TestHttpServer server;

  @BeforeEach
  void start() throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[FILE_BYTES]);
    List<HttpRoute> routes = new ArrayList<>();
    routes.add(
        HttpRoute.exact(
            "/hello",
            HttpMethod.GET,
            request -> {
              entered.incrementAndGet();
              return HttpResponse.text(200, "hello of " + request.domain());
            }));
    routes.add(HttpRoute.exact("/count", HttpMethod.POST, this::count));
    routes.add(
        HttpRoute.exact(
            "/slow",
            HttpMethod.POST,
            request -> {
              awaitRelease();
              return count(request);
            }));
    routes.add(
        HttpRoute.exact(
            "/wait",
            HttpMethod.GET,
            request -> {
              entered.incrementAndGet();
              awaitRelease();
              return HttpResponse.empty(204);
            }));
    routes.add(
        HttpRoute.exact(
            "/file",
            HttpMethod.GET,
            request -> HttpResponse.file(200, "video/mp4", file, 100, FILE_BYTES - 100)));
    routes.add(
        HttpRoute.exact(
            "/cookie",
            HttpMethod.GET,
            request -> HttpResponse.text(200, String.valueOf(request.headers("Cookie")))));
    server = new TestHttpServer(folder, LIMITS, routes);
  }

  private void awaitRelease() {
    try {
      released.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private HttpResponse count(im.zonda.http.HttpRequest request) throws IOException {
    byte[] part = new byte[8_192];
    long size = 0;
    for (int more = request.body().read(part, 0, part.length);
        more >= 0;
        more = request.body().read(part, 0, part.length)) {
      size += more;
      received.addAndGet(more);
    }
    return HttpResponse.text(200, "bytes: " + size);
  }

  @AfterEach
  void stop() {
    released.countDown();
    server.close();
  }

  private static HttpClient client() throws Exception {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_2)
        .sslContext(TrustAll.context())
        .build();
  }

  private java.net.http.HttpRequest.Builder to(String path) {
    return java.net.http.HttpRequest.newBuilder(
        URI.create("https://localhost:" + server.tls.getPort() + path));
  }

  private RawHttp2 raw(byte... settings) throws Exception {
    return new RawHttp2(server.tls, settings);
  }

  // ---- what works

  @Test
  void theSameRoutesAreServed() throws Exception {
    try (HttpClient client = client()) {
      var hello = client.send(to("/hello").build(), BodyHandlers.ofString());
      assertThat(hello.version()).isEqualTo(HttpClient.Version.HTTP_2);
      assertThat(hello.statusCode()).isEqualTo(200);
      assertThat(hello.body()).isEqualTo("hello of example.org\n");
      assertThat(hello.headers().firstValue("x-content-type-options")).contains("nosniff");
      assertThat(hello.headers().firstValue("content-length")).contains("21");
      assertThat(hello.headers().firstValue("date")).isPresent();
      assertThat(client.send(to("/none").build(), BodyHandlers.ofString()).statusCode())
          .isEqualTo(404);
      var head = client.send(to("/hello").HEAD().build(), BodyHandlers.ofString());
      assertThat(head.headers().firstValue("content-length")).contains("21");
      assertThat(head.body()).isEmpty();
      assertThat(client.send(to("/xmpp-websocket").build(), BodyHandlers.ofString()).statusCode())
          .isEqualTo(426);
    }
  }

  @Test
  void bodiesAreStreamedInBothDirections() throws Exception {
    try (HttpClient client = client()) {
      byte[] large = new byte[3_000_000];
      var counted =
          client.send(
              to("/count").POST(BodyPublishers.ofByteArray(large)).build(),
              BodyHandlers.ofString());
      assertThat(counted.body()).isEqualTo("bytes: 3000000\n");
      var unknown =
          client.send(
              to("/count")
                  .POST(BodyPublishers.ofInputStream(() -> InputStream.nullInputStream()))
                  .build(),
              BodyHandlers.ofString());
      assertThat(unknown.body()).isEqualTo("bytes: 0\n");
      var expecting =
          client.send(
              to("/count").POST(BodyPublishers.ofByteArray(large)).expectContinue(true).build(),
              BodyHandlers.ofString());
      assertThat(expecting.body()).isEqualTo("bytes: 3000000\n");
      var file = client.send(to("/file").build(), BodyHandlers.ofByteArray());
      assertThat(file.body()).hasSize(FILE_BYTES - 100);
    }
  }

  @Test
  void requestsOfOneConnectionAreAnsweredAtOnce() throws Exception {
    try (HttpClient client = client()) {
      client.send(to("/hello").build(), BodyHandlers.ofString()); // the connection is there
      List<CompletableFuture<?>> waiting = new ArrayList<>();
      for (int i = 0; i < STREAMS - 1; i++) {
        waiting.add(client.sendAsync(to("/wait").build(), BodyHandlers.ofString()));
      }
      assertThat(client.send(to("/hello").build(), BodyHandlers.ofString()).statusCode())
          .isEqualTo(200);
      released.countDown();
      CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void clientsWithoutHttp2AreServedByHttp1() throws Exception {
    for (String[] offered : new String[][] {{}, {"http/1.1"}}) {
      try (SSLSocket socket = TrustAll.connect(server.tls, offered)) {
        assertThat(socket.getApplicationProtocol()).isEqualTo(String.join("", offered));
        socket
            .getOutputStream()
            .write(
                "GET /hello HTTP/1.1\r\nHost: b.example\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        assertThat(TestHttpServer.rest(socket.getInputStream())).endsWith("of b.example\n");
      }
    }
  }

  @Test
  void cookiesAreJoined() throws Exception {
    try (RawHttp2 client = raw()) {
      client.send(
          RawHttp2.HEADERS,
          RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
          1,
          RawHttp2.request("GET", "/cookie", "cookie", "a=b", "cookie", "c=d"));
      assertThat(client.status(1)).isEqualTo("200");
      RawHttp2.Frame body = Objects.requireNonNull(client.next(RawHttp2.DATA));
      assertThat(new String(body.payload(), StandardCharsets.US_ASCII)).isEqualTo("[a=b; c=d]\n");
    }
  }

  /// A client that sends more than the handler reads is held back within the window.
  @Test
  void aBodyThatIsNotReadIsNotBuffered() throws Exception {
    try (RawHttp2 client = raw()) {
      client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, RawHttp2.request("POST", "/slow"));
      byte[] part = new byte[16_383];
      for (int i = 0; i < 4; i++) {
        client.send(RawHttp2.DATA, 0, 1, part);
      }
      client.send(RawHttp2.PING, 0, 0, new byte[8]);
      List<Integer> types = new ArrayList<>();
      RawHttp2.Frame frame = client.next();
      while (frame != null && frame.type() != RawHttp2.PING) {
        types.add(frame.type());
        frame = client.next();
      }
      assertThat(types).doesNotContain(RawHttp2.WINDOW_UPDATE);
      released.countDown();
      assertThat(client.next(RawHttp2.WINDOW_UPDATE)).isNotNull();
      client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, part);
      assertThat(client.status(1)).isEqualTo("200");
      assertThat(received.get()).isEqualTo(5L * part.length);
    }
  }

  @Test
  void anIdleConnectionIsClosed() throws Exception {
    try (RawHttp2 client = raw()) {
      client.get(1, "/hello");
      assertThat(client.status(1)).isEqualTo("200");
      RawHttp2.Frame end = Objects.requireNonNull(client.next(RawHttp2.GOAWAY));
      assertThat(end.error()).isZero();
      assertThat(client.next(-1)).isNull();
    }
  }

  // ---- attacks

  private String answerTo(byte[] header, boolean ends) throws Exception {
    try (RawHttp2 client = raw()) {
      client.send(
          RawHttp2.HEADERS, RawHttp2.END_HEADERS | (ends ? RawHttp2.END_STREAM : 0), 1, header);
      return client.status(1);
    }
  }

  /// Streams that are reset count until their handlers have ended, and a client that goes on is
  /// disconnected.
  @Test
  void row120_rapidResetStartsNoMoreThanTheLimit() throws Exception {
    try (RawHttp2 client = raw()) {
      for (int i = 0; i < 400; i++) {
        int stream = 2 * i + 1;
        byte[] both =
            concat(
                RawHttp2.frame(
                    RawHttp2.HEADERS,
                    RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
                    stream,
                    RawHttp2.request("GET", "/wait")),
                RawHttp2.frame(RawHttp2.RESET, 0, stream, RawHttp2.bytes(0, 0, 0, 8)));
        client.sendOften(both, 1);
      }
      RawHttp2.Frame end = client.next(RawHttp2.GOAWAY);
      assertThat(end == null || end.error() == 11).isTrue(); // ENHANCE_YOUR_CALM
      assertThat(entered.get()).isLessThanOrEqualTo(STREAMS);
    }
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] all = java.util.Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  @Test
  void row121_aHeaderWithoutEndIsEnded() throws Exception {
    try (RawHttp2 client = raw()) {
      client.send(RawHttp2.HEADERS, RawHttp2.END_STREAM, 1, RawHttp2.request("GET", "/hello"));
      byte[] small = RawHttp2.frame(RawHttp2.CONTINUATION, 0, 1, RawHttp2.fields("a", "b"));
      client.sendOften(small, 2_000);
      RawHttp2.Frame end = client.next(RawHttp2.GOAWAY);
      assertThat(end == null || end.error() != 0).isTrue();
      assertThat(client.next(-1)).isNull();
    }
    try (RawHttp2 client = raw()) {
      client.send(RawHttp2.HEADERS, RawHttp2.END_STREAM, 1, RawHttp2.request("GET", "/hello"));
      byte[] large =
          RawHttp2.frame(RawHttp2.CONTINUATION, 0, 1, RawHttp2.fields("a", "b".repeat(16_000)));
      client.sendOften(large, 100);
      assertThat(client.next(-1)).isNull();
    }
    assertThat(entered.get()).isZero();
  }

  @Test
  void row122_floodsOfFramesThatCarryNothingEndTheConnection() throws Exception {
    byte[][] floods = {
      RawHttp2.frame(RawHttp2.PING, 0, 0, new byte[8]),
      RawHttp2.frame(RawHttp2.SETTINGS, 0, 0, RawHttp2.setting(INITIAL_WINDOW_SIZE, 65_535)),
      RawHttp2.frame(2, 0, 1, RawHttp2.bytes(0, 0, 0, 3, 16)), // PRIORITY
      RawHttp2.frame(RawHttp2.WINDOW_UPDATE, 0, 0, RawHttp2.bytes(0, 0, 0, 1)),
      RawHttp2.frame(200, 0, 0, RawHttp2.bytes(1, 2, 3)), // an unknown type
    };
    for (byte[] flood : floods) {
      try (RawHttp2 client = raw()) {
        client.get(1, "/wait");
        client.sendOften(flood, 2 * FrameGuard.FIRST_FRAMES);
        RawHttp2.Frame end = client.next(RawHttp2.GOAWAY);
        assertThat(end == null ? 11 : end.error()).as("type " + flood[3]).isEqualTo(11);
        assertThat(client.next(-1)).isNull();
      }
    }
  }

  @Test
  void row122_aFewOfThemAreAllowed() throws Exception {
    try (RawHttp2 client = raw()) {
      client.get(1, "/wait");
      client.sendOften(RawHttp2.frame(RawHttp2.PING, 0, 0, new byte[8]), 500);
      client.get(3, "/hello");
      assertThat(client.status(3)).isEqualTo("200");
    }
  }

  @Test
  void row123_headersThatAreTooLargeAreRejected() throws Exception {
    assertThat(answerTo(RawHttp2.request("GET", "/hello", "x", "a".repeat(4_096)), true))
        .isEqualTo("431");
    String[] many = new String[2 * 40];
    for (int i = 0; i < many.length; i++) {
      many[i] = i % 2 == 0 ? "x" + i : "a";
    }
    assertThat(answerTo(RawHttp2.request("GET", "/hello", many), true)).isEqualTo("431");
    assertThat(entered.get()).isZero();
  }

  /// HPACK: one entry of the table that is named a thousand times.
  @Test
  void row123_aHeaderThatGrowsWhenItIsReadIsRejected() throws Exception {
    byte[] start = RawHttp2.request("GET", "/hello");
    byte[] entry = RawHttp2.fields("x", "a".repeat(3_000));
    entry[0] = 0x40; // with the table
    byte[] bomb =
        java.util.Arrays.copyOf(concat(start, entry), start.length + entry.length + 2_000);
    java.util.Arrays.fill(bomb, start.length + entry.length, bomb.length, (byte) (0x80 | 62));
    assertThat(answerTo(bomb, true)).isIn("431", "closed");
    assertThat(entered.get()).isZero();
  }

  @Test
  void row124_aClientThatGivesNoWindowIsReset() throws Exception {
    try (RawHttp2 client = raw(RawHttp2.setting(INITIAL_WINDOW_SIZE, 0))) {
      for (int i = 0; i < STREAMS; i++) {
        client.get(2 * i + 1, "/file");
      }
      for (int i = 0; i < STREAMS; i++) {
        RawHttp2.Frame frame = Objects.requireNonNull(client.next(RawHttp2.RESET));
      }
      assertThat(client.next(RawHttp2.GOAWAY)).isNotNull(); // idle
    }
  }

  @Test
  void row124_aClientThatSendsNoBodyIsAnswered() throws Exception {
    try (RawHttp2 client = raw()) {
      client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, RawHttp2.request("POST", "/count"));
      assertThat(client.status(1)).isEqualTo("408");
      RawHttp2.Frame end = Objects.requireNonNull(client.next(RawHttp2.RESET));
      assertThat(end.number()).isZero(); // NO_ERROR: the answer is complete
    }
  }

  @Test
  void row125_moreStreamsThanAllowedAreRefused() throws Exception {
    try (RawHttp2 client = raw()) {
      RawHttp2.Frame settings = Objects.requireNonNull(client.next(RawHttp2.SETTINGS));
      assertThat(java.util.HexFormat.of().formatHex(settings.payload()))
          .contains("%04x%08x".formatted(MAX_CONCURRENT_STREAMS, STREAMS));
      for (int i = 0; i <= STREAMS; i++) {
        client.get(2 * i + 1, "/wait");
      }
      assertThat(client.status(2 * STREAMS + 1)).isEqualTo("reset 7"); // REFUSED_STREAM
      released.countDown();
      assertThat(client.status(1)).isEqualTo("204");
    }
  }

  /// What would be another request after its translation to HTTP/1.1.
  @Test
  void row126_requestsThatAreNoneAreReset() throws Exception {
    String[] good = {
      ":method", "GET", ":scheme", "https", ":authority", "example.org", ":path", "/hello"
    };
    assertThat(answerTo(RawHttp2.fields(good), true)).isEqualTo("200");
    List<byte[]> bad = new ArrayList<>();
    for (String[] more :
        new String[][] {
          {"connection", "close"},
          {"transfer-encoding", "chunked"},
          {"upgrade", "websocket"},
          {"keep-alive", "1"},
          {"proxy-connection", "x"},
          {"te", "gzip"},
          {":path", "/other"},
          {":method", "POST"},
          {":authority", "b.example"},
          {":status", "200"},
          {":protocol", "websocket"},
          {":other", "x"},
          {"host", "b.example"},
          {"Upper", "x"},
          {"x y", "x"},
          {"x:y", "x"},
          {"", "x"},
          {"x", "a\r\nb: c"},
          {"x", "a\0b"},
          {"x", " a"},
          {"content-length", "5"},
          {"content-length", "-1"},
        }) {
      bad.add(concat(RawHttp2.fields(good), RawHttp2.fields(more)));
    }
    bad.add(RawHttp2.fields(":method", "GET", ":scheme", "https", ":authority", "example.org"));
    bad.add(RawHttp2.fields(":method", "GET", ":path", "/hello", ":authority", "example.org"));
    bad.add(RawHttp2.fields(":scheme", "https", ":path", "/hello", ":authority", "example.org"));
    for (String path : List.of("", "hello", "https://b.example/hello", "*")) {
      bad.add(
          RawHttp2.fields(
              ":method", "GET", ":scheme", "https", ":authority", "example.org", ":path", path));
    }
    bad.add(
        RawHttp2.fields(
            ":method",
            "GET /x HTTP/1.1\r\n",
            ":scheme",
            "https",
            ":authority",
            "example.org",
            ":path",
            "/hello"));
    bad.add(
        RawHttp2.fields(
            ":method", "GET", ":scheme", "http", ":authority", "example.org", ":path", "/hello"));
    bad.add(concat(RawHttp2.fields("x", "y"), RawHttp2.fields(good)));
    int before = entered.get();
    for (byte[] header : bad) {
      assertThat(answerTo(header, true))
          .as(new String(header, StandardCharsets.ISO_8859_1))
          .isIn("reset 1", "closed", "400");
    }
    assertThat(entered.get()).isEqualTo(before);
  }

  @Test
  void row126_pathsAndHostsAreCheckedAsByHttp1() throws Exception {
    for (String path : List.of("/a/../hello", "/%2e%2e/hello", "//hello", "/a%2fb", "/a\\b")) {
      assertThat(answerTo(RawHttp2.request("GET", path), true)).as(path).isEqualTo("400");
    }
    String[] other = {":method", "GET", ":scheme", "https", ":path", "/hello", ":authority", null};
    for (String host : List.of("c.example", "user@example.org", "example.org:x", "")) {
      other[7] = host;
      assertThat(answerTo(RawHttp2.fields(other), true)).as(host).isIn("421", "400", "reset 1");
    }
    assertThat(
            answerTo(RawHttp2.fields(":method", "CONNECT", ":authority", "example.org:80"), true))
        .isEqualTo("501");
    assertThat(answerTo(RawHttp2.request("TRACE", "/hello"), true)).isEqualTo("501");
  }

  /// A body that is longer or shorter than announced never reaches the end of the handler.
  @Test
  void row127_aLengthThatLiesIsAnError() throws Exception {
    for (int sent : new int[] {3, 9}) {
      try (RawHttp2 client = raw()) {
        client.send(
            RawHttp2.HEADERS,
            RawHttp2.END_HEADERS,
            1,
            RawHttp2.request("POST", "/count", "content-length", "5"));
        client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, new byte[sent]);
        assertThat(client.status(1)).as(sent + " bytes").isEqualTo("reset 1");
      }
    }
  }

  @Test
  void row127_trailersMayNotContinueTheHeader() throws Exception {
    for (String name : List.of(":path", "transfer-encoding")) {
      try (RawHttp2 client = raw()) {
        client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, RawHttp2.request("POST", "/count"));
        client.send(RawHttp2.DATA, 0, 1, new byte[5]);
        client.send(
            RawHttp2.HEADERS,
            RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
            1,
            RawHttp2.fields(name, "x"));
        assertThat(client.status(1)).as(name).isIn("reset 1", "closed");
      }
    }
  }

  @Test
  void row128_clientsThatSendNothingAreDisconnected() throws Exception {
    try (RawHttp2 silent = raw();
        SSLSocket bare = TrustAll.connect(server.tls, "h2")) {
      assertThat(silent.next(-1)).isNull();
      assertThat(bare.getInputStream().readAllBytes()).isNotNull();
    }
  }
}
