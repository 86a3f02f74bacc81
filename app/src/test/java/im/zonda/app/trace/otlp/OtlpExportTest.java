package im.zonda.app.trace.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.config.monitoring.Traces;
import im.zonda.jid.Jid;
import im.zonda.json.JsonReader;
import im.zonda.runtime.ServerRuntime;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.trace.TraceStore.Step;
import im.zonda.trace.TraceStore.Traced;
import im.zonda.trace.recording.Choice;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a collector gets, and what becomes of spans that it does not take.
@Timeout(60)
class OtlpExportTest {
  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final Jid ROMEO = Jid.of("romeo@example.org/garden");
  private static final Jid JULIET = Jid.of("juliet@example.org");

  /// The fields of the messages, as their JSON names (opentelemetry/proto, v1).
  private static final Map<String, Set<String>> FIELDS =
      Map.of(
          "request", Set.of("resourceSpans"),
          "resourceSpans", Set.of("resource", "scopeSpans", "schemaUrl"),
          "resource", Set.of("attributes", "droppedAttributesCount", "entityRefs"),
          "scopeSpans", Set.of("scope", "spans", "schemaUrl"),
          "scope", Set.of("name", "version", "attributes", "droppedAttributesCount"),
          "spans",
              Set.of(
                  "traceId",
                  "spanId",
                  "traceState",
                  "parentSpanId",
                  "flags",
                  "name",
                  "kind",
                  "startTimeUnixNano",
                  "endTimeUnixNano",
                  "attributes",
                  "droppedAttributesCount",
                  "events",
                  "droppedEventsCount",
                  "links",
                  "droppedLinksCount",
                  "status"),
          "attributes", Set.of("key", "value"),
          "value", Set.of("stringValue", "intValue"),
          "status", Set.of("message", "code"));

  private final FakeClock clock = new FakeClock();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ServerRuntime runtime =
      new ServerRuntime(clock, clock, () -> "id", new SecureRandom(), threads);
  private Receiver receiver;
  private OtlpExport export;
  private long id = 1;

  @SuppressWarnings("NullAway.Init") // set before each test
  OtlpExportTest() {}

  @BeforeEach
  void start() throws IOException {
    receiver = new Receiver(0);
    export = export(Duration.ofSeconds(30));
  }

  private OtlpExport export(Duration patience) {
    return new OtlpExport(
        new OtlpExport.Identity("n1", "1.0"),
        new Traces.Otlp(receiver.url(), Map.of("authorization", "Bearer x"), INTERVAL),
        patience,
        runtime);
  }

  @AfterEach
  void stop() throws InterruptedException {
    export.end();
    receiver.close();
    threads.shutdownNow();
  }

  private void step(long trace, String place, String verdict) {
    long now = clock.millis() * 1_000;
    export.noted(new Step(id++, trace, now, "n1", place, verdict, null, null));
  }

  private void message(long trace) {
    export.began(
        new Traced(clock.millis() * 1_000, trace, "t1", "n1", ROMEO, JULIET, "chat", "m" + trace));
    step(trace, "stream", "received");
  }

  private void tick() {
    clock.advance(INTERVAL);
    export.run();
  }

  private static String attribute(Map<?, ?> holder, String name) {
    for (Object each : Receiver.list(holder, "attributes")) {
      Map<?, ?> attribute = (Map<?, ?>) each;
      if (name.equals(attribute.get("key"))) {
        Map<?, ?> value = (Map<?, ?>) Objects.requireNonNull(attribute.get("value"));
        return String.valueOf(value.values().iterator().next());
      }
    }
    return "";
  }

  private static List<String> names(List<Map<?, ?>> spans) {
    return spans.stream().map(each -> String.valueOf(each.get("name"))).toList();
  }

  private static void assertFields(String type, Object value) {
    if (value instanceof List<?> list) {
      list.forEach(each -> assertFields(type, each));
    } else if (value instanceof Map<?, ?> map) {
      assertThat(map.keySet())
          .as(type)
          .allSatisfy(each -> assertThat(FIELDS.get(type)).contains(String.valueOf(each)));
      map.forEach((name, member) -> assertFields(String.valueOf(name), member));
    }
  }

  @Test
  void theWayOfAMessageIsATrace() throws Exception {
    try (TestServer server =
        ServerPlan.of(StandardModules::create).withClock(clock).startInMemory()) {
      server.accounts(List.of("romeo@example.org", "juliet@example.org"));
      server.server().traces().observeBy(export);
      server
          .server()
          .traces()
          .choose(
              List.of(
                  new Choice(
                      "t1",
                      JULIET,
                      null,
                      null,
                      0,
                      clock.instant(),
                      clock.instant().plusSeconds(3_600),
                      "root")));
      ScriptedClient romeo = server.connect(ROMEO.toString());
      romeo.send(
          "<message type='chat' to='%s' id='m1'><body>secret</body></message>".formatted(JULIET));
      romeo.send("<message to='no@example.org' id='m2'><body>secret</body></message>");
      romeo.fence("said");
      server.server().traces().observeBy(null);
    }
    tick();
    assertThat(receiver.bodies()).hasSize(1);
    String body = receiver.bodies().getFirst();
    assertThat(body).doesNotContain("secret");
    Map<?, ?> request = JsonReader.object(body);
    assertFields("request", request);
    assertThat(receiver.lastHeaders().get("Content-type")).containsExactly("application/json");
    assertThat(receiver.lastHeaders().get("Authorization")).containsExactly("Bearer x");
    Map<?, ?> resource =
        (Map<?, ?>)
            ((Map<?, ?>) Receiver.list(request, "resourceSpans").getFirst()).get("resource");
    assertThat(attribute(Objects.requireNonNull(resource), "service.name")).isEqualTo("zonda");
    assertThat(attribute(resource, "service.instance.id")).isEqualTo("n1");
    assertWay(receiver.spans());
  }

  private static void assertWay(List<Map<?, ?>> spans) {
    assertThat(names(spans)).startsWith("message", "stream received").contains("home stored");
    Set<Object> ids = new HashSet<>();
    for (Map<?, ?> each : spans) {
      assertThat(String.valueOf(each.get("traceId"))).matches("[0-9a-f]{32}");
      assertThat(String.valueOf(each.get("spanId"))).matches("[0-9a-f]{16}");
      assertThat(each.get("startTimeUnixNano")).asString().matches("\\d{19}");
      assertThat(each.get("startTimeUnixNano")).isInstanceOf(String.class);
      assertThat(each.get("kind")).isInstanceOf(Number.class);
      assertThat(ids.add(each.get("spanId"))).isTrue();
      assertThat(attribute(each, "xmpp.stanza.type")).isEqualTo("chat");
      assertThat(attribute(each, "xmpp.stanza.from")).isEqualTo(ROMEO.toString());
      assertThat(attribute(each, "xmpp.stanza.to")).isEqualTo(JULIET.toString());
    }
    Map<?, ?> whole = spans.getFirst();
    assertThat(whole.get("parentSpanId")).isNull();
    assertThat(spans.stream().skip(1))
        .allSatisfy(each -> {
          assertThat(each.get("parentSpanId")).isEqualTo(whole.get("spanId"));
          assertThat(each.get("traceId")).isEqualTo(whole.get("traceId"));
        });
  }

  @Test
  void aStepLastsSinceTheStepBefore() {
    message(7);
    clock.advance(Duration.ofMillis(20));
    step(7, "home", "refused");
    tick();
    Map<?, ?> last = receiver.spans().getLast();
    long start = Long.parseLong(String.valueOf(last.get("startTimeUnixNano")));
    long end = Long.parseLong(String.valueOf(last.get("endTimeUnixNano")));
    assertThat(end - start).isEqualTo(20_000_000);
    assertThat(String.valueOf(last.get("status"))).contains("code=2");
  }

  @Test
  void whatComesLaterHasTheSameParent() {
    message(7);
    export.run();
    assertThat(receiver.bodies()).as("not quiet yet").isEmpty();
    tick();
    tick();
    assertThat(receiver.bodies()).hasSize(1);
    step(7, "session", "acknowledged");
    tick();
    List<Map<?, ?>> spans = receiver.spans();
    assertThat(names(spans)).containsExactly("message", "stream received", "session acknowledged");
    assertThat(spans.getLast().get("parentSpanId")).isEqualTo(spans.getFirst().get("spanId"));
  }

  @Test
  void whatTheCollectorCannotTakeNowIsSentAgain() {
    for (int status : List.of(429, 502, 503, 504)) {
      receiver.next(status, null, "");
    }
    message(7);
    for (int i = 0; receiver.bodies().size() < 5; i++) {
      assertThat(i).isLessThan(200);
      tick();
    }
    tick();
    assertThat(receiver.bodies()).hasSize(5);
    assertThat(new HashSet<>(receiver.bodies())).hasSize(1);
    assertThat(export.waiting()).isZero();
    assertThat(export.dropped()).isZero();
  }

  @Test
  void theCollectorSaysWhenItWantsToBeAskedAgain() {
    receiver.next(503, "60", "");
    message(7);
    tick();
    clock.advance(Duration.ofSeconds(50));
    export.run();
    assertThat(receiver.bodies()).hasSize(1);
    receiver.next(
        429,
        DateTimeFormatter.RFC_1123_DATE_TIME.format(
            clock.instant().plusSeconds(100).atOffset(ZoneOffset.UTC)),
        "");
    clock.advance(Duration.ofSeconds(10));
    export.run();
    assertThat(receiver.bodies()).hasSize(2);
    clock.advance(Duration.ofSeconds(80));
    export.run();
    assertThat(receiver.bodies()).hasSize(2);
    receiver.next(503, "999999999", "");
    clock.advance(Duration.ofSeconds(10));
    export.run();
    assertThat(receiver.bodies()).hasSize(3);
    clock.advance(OtlpExport.LONGEST_PAUSE);
    export.run();
    assertThat(receiver.bodies()).hasSize(4);
    assertThat(export.waiting()).isZero();
  }

  @Test
  void whatIsRefusedIsNotSentAgain() {
    receiver.next(400, null, "{\"message\":\"no\"}");
    message(7);
    tick();
    tick();
    assertThat(receiver.bodies()).hasSize(1);
    assertThat(export.dropped()).isEqualTo(2);
    receiver.next(
        200, null, "{\"partialSuccess\":{\"rejectedSpans\":\"1\",\"errorMessage\":\"old\"}}");
    message(8);
    tick();
    tick();
    assertThat(receiver.bodies()).hasSize(2);
    assertThat(export.dropped()).isEqualTo(3);
    assertThat(export.waiting()).isZero();
  }

  @Test
  void anOutageLosesNothing() throws IOException {
    int port = receiver.port();
    receiver.close();
    message(7);
    tick();
    assertThat(export.waiting()).isEqualTo(2);
    receiver = new Receiver(port);
    for (int i = 0; i < 6; i++) {
      tick();
    }
    assertThat(names(receiver.spans())).containsExactly("message", "stream received");
    assertThat(export.dropped()).isZero();
  }

  @Test
  void aSlowReceiverHoldsNothingUp() throws InterruptedException {
    export.end();
    export = export(Duration.ofMillis(500));
    receiver.nextNeverEnds();
    message(7);
    tick();
    assertThat(export.waiting()).isEqualTo(2);
    for (int i = 0; i < 200 && export.waiting() > 0; i++) {
      tick();
    }
    assertThat(export.waiting()).isZero();
    assertThat(receiver.bodies()).hasSizeGreaterThanOrEqualTo(2);
  }

  @Test
  void aReceiverThatIsNoCollectorGetsNothingTwice() {
    receiver.next(200, null, "<html>Welcome</html>");
    receiver.next(200, null, "x".repeat(Collector.MOST_BYTES + 1));
    receiver.next(307, null, "");
    receiver.next(200, null, "{\"partialSuccess\":{\"rejectedSpans\":\"many\"}}");
    receiver.next(200, null, "{\"partialSuccess\":{\"rejectedSpans\":\"999999999999\"}}");
    for (int i = 1; i <= 5; i++) {
      message(i);
      tick();
    }
    assertThat(receiver.bodies()).hasSize(5);
    assertThat(export.dropped()).isEqualTo(10);
    assertThat(export.waiting()).isZero();
  }

  @Test
  void whatWaitsHasABound() {
    for (int i = 0; i < OtlpExport.MOST_WAITING / GatheredWays.MOST_STEPS + 2; i++) {
      receiver.next(503, "999", "");
      for (int j = 0; j < GatheredWays.MOST_STEPS + 10; j++) {
        step(7, "home", "passed");
      }
      tick();
    }
    assertThat(export.waiting()).isEqualTo(OtlpExport.MOST_WAITING);
    assertThat(export.dropped()).isEqualTo(4 * 10 + 2L * GatheredWays.MOST_STEPS);
  }

  @Test
  void aBatchIsGivenUpAtLast() {
    message(7);
    for (int i = 0; i < OtlpExport.MOST_ATTEMPTS; i++) {
      receiver.next(503, "1", "");
    }
    for (int i = 0; i < 2 * OtlpExport.MOST_ATTEMPTS; i++) {
      tick();
    }
    assertThat(receiver.bodies()).hasSize(OtlpExport.MOST_ATTEMPTS);
    assertThat(export.dropped()).isEqualTo(2);
  }

  @Test
  void anAddressIsForgotten() {
    message(7);
    export.forgotten(JULIET);
    tick();
    assertThat(receiver.bodies()).isEmpty();
    assertThat(export.waiting()).isZero();
  }

  @Test
  void theEndSendsWhatWaits() throws InterruptedException {
    message(7);
    export.end();
    assertThat(receiver.bodies()).hasSize(1);
  }
}
