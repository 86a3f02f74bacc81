package im.zonda.net.http;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.BoshLimits;
import im.zonda.config.limits.ConnectionLimits;
import im.zonda.config.limits.HttpLimits;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpResponse;
import im.zonda.http.HttpRoute;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An HTTP server that stops while it answers.
@Timeout(60)
class StoppedServerTest {
  /// A part of a body may take minutes.
  private static final HttpLimits PATIENT =
      new HttpLimits(
          0,
          ConnectionLimits.DEFAULTS,
          4_096,
          32,
          8,
          Duration.ofSeconds(20),
          Duration.ofSeconds(20),
          Duration.ofMinutes(10),
          BoshLimits.DEFAULTS);

  /// The rest of its body cannot be sent, and no event loop is left to notify it of that.
  @Test
  void aResponseThatIsBeingWrittenDoesNotHoldItUp(@TempDir Path folder) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Void> stopped = new CompletableFuture<>();
    HttpRoute route =
        HttpRoute.exact(
            "/late",
            HttpMethod.GET,
            request ->
                HttpResponse.stream(
                    200,
                    "text/plain",
                    -1,
                    output -> {
                      begun.countDown();
                      stopped.join();
                      output.write(new byte[1], 0, 1);
                    }));
    try (TestHttpServer server = new TestHttpServer(folder, PATIENT, List.of(route));
        Socket socket = server.connect()) {
      String request = "GET /late HTTP/1.1\r\nHost: example.org\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
      server.net.stop(Duration.ofSeconds(1));
      stopped.complete(null);
    }
  }
}
