package im.zonda.net.http;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.HttpLimits;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpResponse;
import im.zonda.http.HttpRoute;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class HealthAnswersTest {
  @TempDir private Path folder;
  private TestHttpServer server;
  private volatile List<String> missing = List.of();

  @BeforeEach
  void start() throws IOException {
    HttpRoute all =
        HttpRoute.below("/", HttpMethod.GET, request -> HttpResponse.text(200, "a page"));
    server = new TestHttpServer(folder, HttpLimits.DEFAULTS, List.of(all));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String ask(String method, String target, String host) throws IOException {
    return server.exchange(
        method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
  }

  @Test
  void whatIsMissingIsNamedToAnyoneWhateverHostTheyAskFor() throws IOException {
    server.http.answerBalancers(() -> missing);
    for (String host : List.of("example.org", "10.0.0.1:8080", "unknown.example")) {
      missing = List.of();
      assertThat(ask("GET", "/health/ready", host))
          .startsWith("HTTP/1.1 200 ")
          .containsIgnoringCase("cache-control: no-store\r\n")
          .endsWith("\r\n\r\nok\n");
      missing = List.of("database", "listeners");
      assertThat(ask("GET", "/health/ready?from=balancer", host))
          .startsWith("HTTP/1.1 503 ")
          .containsIgnoringCase("cache-control: no-store\r\n")
          .endsWith("\r\n\r\ndatabase\nlisteners\n");
      assertThat(ask("GET", "/health/live", host))
          .startsWith("HTTP/1.1 200 ")
          .endsWith("\r\n\r\nok\n");
    }
  }

  @Test
  void headHasNoBodyAndOtherMethodsAreNotForIt() throws IOException {
    server.http.answerBalancers(() -> List.of("hosts"));
    assertThat(ask("HEAD", "/health/ready", "x"))
        .startsWith("HTTP/1.1 503 ")
        .containsIgnoringCase("content-length: 6\r\n")
        .endsWith("\r\n\r\n");
    assertThat(ask("DELETE", "/health/ready", "x"))
        .startsWith("HTTP/1.1 405 ")
        .containsIgnoringCase("allow: GET, HEAD\r\n");
  }

  @Test
  void otherPathsAreThoseOfTheHosts() throws IOException {
    assertThat(ask("GET", "/health/ready", "example.org")).endsWith("a page\n");
    server.http.answerBalancers(() -> List.of("hosts"));
    for (String target : List.of("/health", "/health/", "/health/ready/", "/health/live/x")) {
      assertThat(ask("GET", target, "example.org")).as(target).endsWith("a page\n");
    }
    assertThat(ask("GET", "/health", "unknown.example")).startsWith("HTTP/1.1 421 ");
  }

  @Test
  void theSameByHttp2() throws Exception {
    server.http.answerBalancers(() -> List.of("draining"));
    try (HttpClient client = HttpClient.newBuilder().sslContext(TrustAll.context()).build()) {
      URI ready = URI.create("https://localhost:" + server.tls.getPort() + "/health/ready");
      var answer = client.send(HttpRequest.newBuilder(ready).build(), BodyHandlers.ofString());
      assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).isEqualTo("draining\n");
      assertThat(answer.headers().firstValue("cache-control")).contains("no-store");
    }
  }
}
