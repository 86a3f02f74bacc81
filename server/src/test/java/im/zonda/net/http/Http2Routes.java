package im.zonda.net.http;

import im.zonda.config.limits.BoshLimits;
import im.zonda.config.limits.ConnectionLimits;
import im.zonda.config.limits.HttpLimits;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpResponse;
import im.zonda.http.HttpRoute;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A server with routes that tests ask by HTTP/2, with Java's own client where it can, and frame by
/// frame where it must.
abstract class Http2Routes {
  static final int STREAMS = 8;
  static final Duration SHORT = Duration.ofSeconds(3);
  static final HttpLimits LIMITS =
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
  static final int FILE_BYTES = 3_000_000;
  static final int MAX_CONCURRENT_STREAMS = 3;
  static final int INITIAL_WINDOW_SIZE = 4;

  @TempDir Path folder;
  final AtomicInteger entered = new AtomicInteger();
  final AtomicLong received = new AtomicLong();
  final CountDownLatch released = new CountDownLatch(1);
  TestHttpServer server;

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

  static HttpClient client() throws Exception {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_2)
        .sslContext(TrustAll.context())
        .build();
  }

  java.net.http.HttpRequest.Builder to(String path) {
    return java.net.http.HttpRequest.newBuilder(
        URI.create("https://localhost:" + server.tls.getPort() + path));
  }

  RawHttp2 raw(byte... settings) throws Exception {
    return new RawHttp2(server.tls, settings);
  }
}
