package im.zonda.app.operation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.metric.MetricOperations;
import im.zonda.config.Api;
import im.zonda.operation.Grant;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.operation.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Who may read `/metrics` at the listener of the API, and what it looks like.
@Timeout(120)
class MetricsRouteTest {
  private static final String TEXT = "# HELP zonda_tasks Tasks\n# TYPE zonda_tasks gauge\n";
  private static final String HOST = "\nHost: own.example";

  private RunningApi api;

  @SuppressWarnings("NullAway.Init") // set before each test
  MetricsRouteTest() {}

  @BeforeEach
  void start(@TempDir Path folder) throws IOException {
    api = new RunningApi(folder, new Api(List.of("127.0.0.1:0"), List.of(), List.of()));
    api.server
        .server()
        .catalogue()
        .offer(
            List.of(
                MetricOperations.PROMETHEUS.by(
                    (_, _) -> Outcome.done(new MetricOperations.Text(TEXT)))));
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private String get(Grant grant, String more) throws IOException {
    String token = api.token("t" + System.identityHashCode(grant), grant);
    return api.send("GET /metrics HTTP/1.1" + HOST + "\nAuthorization: Bearer " + token + more, "");
  }

  @Test
  void rolesThatSeeTheProcessGetIt() throws IOException {
    for (Role role : List.of(Role.SERVER_ADMIN, Role.OPERATOR, Role.READ_ONLY, Role.AUDITOR)) {
      String answer = get(new Grant(role, null, null), "");
      assertThat(answer)
          .as("%s", role)
          .startsWith("HTTP/1.1 200 ")
          .containsIgnoringCase("\r\ncontent-type: text/plain; version=0.0.4; charset=utf-8\r\n")
          .containsIgnoringCase("\r\ncache-control: no-store\r\n")
          .endsWith("\r\n\r\n" + TEXT);
    }
  }

  @Test
  void othersDoNotAndThatIsAudited() throws IOException {
    for (Grant grant :
        List.of(
            new Grant(Role.HOST_ADMIN, Set.of("own.example"), null),
            new Grant(Role.READ_ONLY, Set.of("own.example"), null),
            new Grant(Role.SERVER_ADMIN, null, Set.of(Right.ROOMS)))) {
      String answer = get(grant, "");
      assertThat(RunningApi.status(answer)).as("%s", grant).isEqualTo(403);
      assertThat(answer).contains("it needs the right server").doesNotContain("zonda_tasks");
    }
    Outcome<?> audit =
        api.operations.run(api.owner(), "audit.list", Map.of("operation", "server.prometheus"));
    assertThat(audit)
        .isInstanceOfSatisfying(
            Outcome.Done.class,
            done ->
                assertThat(((AuditOperations.Listed) done.result()).events())
                    .hasSize(3)
                    .allMatch(each -> each.outcome().equals("forbidden")));
  }

  @Test
  void theGuardsOfTheApiAreBeforeIt() throws IOException {
    String token = api.token("all", Grant.ALL);
    String bearer = "\nAuthorization: Bearer " + token;
    assertThat(status("GET /metrics HTTP/1.1" + HOST)).isEqualTo(401);
    assertThat(status("GET /metrics HTTP/1.1" + HOST + "\nAuthorization: Bearer zonda_wrong"))
        .isEqualTo(401);
    assertThat(status("GET /metrics HTTP/1.1\nHost: evil.example" + bearer)).isEqualTo(421);
    assertThat(status("GET /metrics HTTP/1.1" + HOST + bearer + "\nSec-Fetch-Site: cross-site"))
        .isEqualTo(403);
    assertThat(status("GET /metrics?token=" + token + " HTTP/1.1" + HOST)).isEqualTo(400);
    assertThat(status("DELETE /metrics HTTP/1.1" + HOST + bearer)).isEqualTo(405);
    assertThat(status("GET /metrics/ HTTP/1.1" + HOST + bearer)).isEqualTo(404);
    assertThat(status("HEAD /metrics HTTP/1.1" + HOST + bearer)).isEqualTo(200);
  }

  private int status(String head) throws IOException {
    return RunningApi.status(api.send(head, ""));
  }
}
