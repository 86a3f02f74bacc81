package im.zonda.net.http;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.HttpLimits;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.http.HttpRoute;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Responses that wait for an event.
@Timeout(60)
class LaterResponseTest {
  private static final String WAIT = "GET /wait HTTP/1.1\r\nHost: example.org\r\n";
  private static final String EVENT = "GET /event HTTP/1.1\r\nHost: example.org\r\n";
  private static final String CLOSE = "Connection: close\r\n\r\n";

  @TempDir private Path folder;
  private final CompletableFuture<HttpResponse> response = new CompletableFuture<>();
  private final CompletableFuture<Void> waiting = new CompletableFuture<>();
  private TestHttpServer server;

  @BeforeEach
  void start() throws IOException {
    HttpRoute wait = HttpRoute.exact("/wait", HttpMethod.GET, this::answerLater).crossOrigin();
    server = new TestHttpServer(folder, HttpLimits.DEFAULTS, List.of(wait));
  }

  private HttpResponse answerLater(HttpRequest request) {
    waiting.complete(null);
    return HttpResponse.later(this::whenKnown).with("X-Before", "yes");
  }

  private void whenKnown(Consumer<HttpResponse> answer) {
    if (response.isCompletedExceptionally()) {
      throw new IllegalStateException("secret");
    }
    var _ = response.thenAccept(answer);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void itIsWrittenWhenItComes() throws IOException {
    CompletableFuture<Void> event =
        waiting.thenRun(() -> response.complete(HttpResponse.text(403, "No").with("X-Own", "1")));
    assertThat(server.exchange(WAIT + "Origin: https://app.example\r\n" + CLOSE))
        .startsWith("HTTP/1.1 403 ")
        .contains("\r\nX-Own: 1\r\n")
        .contains("\r\nX-Before: yes\r\n")
        .contains("\r\nAccess-Control-Allow-Origin: https://app.example\r\n")
        .contains("\r\nX-Content-Type-Options: nosniff\r\n")
        .endsWith("\r\n\r\nNo\n");
    event.join();
  }

  @Test
  void theConnectionGoesOnAfterIt() throws IOException {
    var _ = waiting.thenRun(() -> response.complete(HttpResponse.text(200, "first")));
    assertThat(server.exchange(WAIT + "\r\n" + EVENT + CLOSE))
        .containsSubsequence("HTTP/1.1 200 ", "first\n", "HTTP/1.1 404 ");
  }

  @Test
  void aLongOneIsWrittenWhole() throws IOException {
    byte[] bytes = new byte[500_000];
    var _ = waiting.thenRun(() -> response.complete(HttpResponse.bytes(200, "text/plain", bytes)));
    assertThat(server.exchange(WAIT + CLOSE))
        .containsIgnoringCase("\r\ncontent-length: 500000\r\n")
        .endsWith("\0".repeat(1_000))
        .hasSizeGreaterThan(bytes.length);
  }

  @Test
  void itsFailureIsAnswered() throws IOException {
    response.cancel(true);
    assertThat(server.exchange(WAIT + CLOSE)).startsWith("HTTP/1.1 500 ").doesNotContain("secret");
  }
}
