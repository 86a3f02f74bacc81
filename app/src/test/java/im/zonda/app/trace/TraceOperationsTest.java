package im.zonda.app.trace;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.app.operation.ServerOperations;
import im.zonda.operation.Caller;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Shape;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.AuditStore;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The operations on traces.
@Timeout(60)
class TraceOperationsTest {
  private static final Caller OWNER = Caller.owner("root");
  private static final String JULIET = "juliet@example.org";

  private final FakeClock clock = new FakeClock();
  private TestServer server;
  private Operations operations;

  @SuppressWarnings("NullAway.Init") // set before each test
  TraceOperationsTest() {}

  @BeforeEach
  void start() throws IOException {
    server = ServerPlan.of(StandardModules::create).withClock(clock).startInMemory();
    server.accounts(List.of("romeo@example.org", JULIET));
    ServerRuntime runtime =
        new ServerRuntime(clock, clock, () -> "job", new SecureRandom(), Runnable::run);
    operations = ServerOperations.over(server.server(), server.stores(), runtime).operations();
    var _ =
        TraceOperations.offerAt(
            server.server(), server.stores()::keyValues, server.stores().messages(), runtime);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Map<String, @Nullable Object> run(String name, Map<String, ?> given) {
    Outcome<?> outcome = operations.run(OWNER, name, given);
    if (outcome instanceof Outcome.Done<?>(Record result)) {
      return Shape.of(result.getClass()).data(result);
    }
    throw new AssertionError(name + ": " + outcome);
  }

  private Outcome.Refused<?> refused(String name, Map<String, ?> given) {
    if (operations.run(OWNER, name, given) instanceof Outcome.Refused<?> refused) {
      return refused;
    }
    throw new AssertionError(name + " was not refused");
  }

  private String begin(Map<String, ?> given) {
    return String.valueOf(run("trace.start", given).get("trace"));
  }

  private List<Map<?, ?>> list(String operation, Map<String, ?> given, String name) {
    List<?> found = (List<?>) run(operation, given).get(name);
    return found == null
        ? List.of()
        : found.stream().<Map<?, ?>>map(each -> (Map<?, ?>) each).toList();
  }

  @Test
  void aTraceIsBegunListedAndEnded() {
    String first = begin(Map.of("address", JULIET + "/phone", "time", "2h"));
    String second = begin(Map.of("network", "192.0.2.0/24"));
    assertThat(list("trace.list", Map.of(), "traces"))
        .extracting(each -> String.valueOf(each.get("trace")))
        .containsExactly(second, first);
    assertThat(list("trace.list", Map.of("limit", 1, "after", second), "traces"))
        .extracting(each -> String.valueOf(each.get("address")))
        .containsExactly(JULIET);
    run("trace.stop", Map.of("trace", first));
    assertThat(refused("trace.stop", Map.of("trace", first)).reason())
        .isEqualTo(Outcome.Reason.NOT_FOUND);
    assertThat(list("trace.list", Map.of(), "traces")).hasSize(1);
    assertThat(server.stores().audit().find(AuditStore.Query.newest(10)).toString())
        .contains("trace.start", "trace.stop", JULIET);
  }

  @Test
  void aTraceHasABound() {
    assertThat(refused("trace.start", Map.of()).field()).isEqualTo("address");
    assertThat(refused("trace.start", Map.of("address", JULIET, "oneIn", 3)).field())
        .isEqualTo("address");
    assertThat(refused("trace.start", Map.of("address", JULIET, "time", "25h")).field())
        .isEqualTo("time");
    assertThat(refused("trace.start", Map.of("network", "everyone")).field()).isEqualTo("network");
    assertThat(refused("trace.start", Map.of("domain", "a@b")).field()).isEqualTo("domain");
    for (int i = 0; i < 30; i++) {
      begin(Map.of("address", "user" + i + "@example.org"));
    }
    assertThat(refused("trace.start", Map.of("address", JULIET)).reason())
        .isEqualTo(Outcome.Reason.TOO_MANY);
    server.advance(Duration.ofHours(1));
    begin(Map.of("address", JULIET));
  }

  @Test
  void theWayOfAMessageIsShownInWords() {
    begin(Map.of("address", JULIET));
    ScriptedClient romeo = server.connect("romeo@example.org/garden");
    romeo.send("<presence/>");
    romeo.send(
        "<message type='chat' to='%s' id='m1'><body>secret</body></message>".formatted(JULIET));
    romeo.fence("said");
    List<Map<?, ?>> found =
        list("trace.messages", Map.of("address", "romeo@example.org"), "messages");
    assertThat(found).extracting(each -> String.valueOf(each.get("stanza"))).containsExactly("m1");
    Object name = found.getFirst().get("message");
    Map<String, @Nullable Object> way =
        run("trace.show", Map.of("message", name, "language", "de"));
    assertThat(way.get("receiver")).isEqualTo(JULIET);
    List<?> steps = (List<?>) way.get("steps");
    assertThat(String.valueOf(steps))
        .contains("Der Client von romeo@example.org/garden hat sie gesendet.")
        .contains("not-connected")
        .doesNotContain("secret");
    assertThat(refused("trace.show", Map.of("message", "zz")).field()).isEqualTo("message");
    assertThat(refused("trace.show", Map.of("message", "1")).reason())
        .isEqualTo(Outcome.Reason.NOT_FOUND);
  }
}
