package im.zonda.plugins.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.json.JsonReader;
import im.zonda.operation.Secret;
import im.zonda.plugins.webhooks.queue.QueuedEvent;
import im.zonda.testkit.database.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeliveryTest {
  private static final Secret SECRET = new Secret("open-sesame-0123456789");
  private static final Duration SYNC = Duration.ofMillis(1);

  @TempDir Path folder;
  private final TestLog log = new TestLog();
  private final AtomicLong clock = new AtomicLong(1_700_000_000_000L);
  private final List<String> alarms = new CopyOnWriteArrayList<>();
  private final AtomicLong lost = new AtomicLong();
  private TestService service;

  @BeforeEach
  void start() throws Exception {
    service = TestService.start();
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private Surroundings surroundings() {
    InstantSource now = () -> Instant.ofEpochMilli(clock.get());
    return new Surroundings(
        "1.0.0",
        now,
        log,
        (_, text) -> alarms.add(text),
        new Surroundings.Meters(_ -> {}, _ -> {}, lost::addAndGet, _ -> {}));
  }

  private static Target target(String name, String url, Duration limit, Duration delay) {
    return target(name, url, limit, delay, List.of());
  }

  private static Target target(
      String name, String url, Duration limit, Duration delay, List<X509Certificate> authorities) {
    return new Target(
        name,
        URI.create(url),
        SECRET,
        authorities,
        new Target.Filter(EnumSet.allOf(EventKind.class), Set.of(), Set.of(), true, Contents.NONE),
        new Target.Pace(10, Duration.ZERO, limit, delay, delay),
        64L << 20,
        16L << 20);
  }

  private Target target(String url) {
    return target("orders", url, Duration.ofSeconds(30), Duration.ofMillis(2));
  }

  private Delivery open(Target target) throws IOException {
    return Delivery.open(target, folder.resolve(target.name()), SYNC, surroundings());
  }

  private static void offer(Delivery delivery, int from, int to) {
    for (int i = from; i <= to; i++) {
      delivery.offer(
          new QueuedEvent(Instant.ofEpochMilli(i), ("{\"id\":\"e" + i + "\"}").getBytes(UTF_8)));
    }
  }

  private static List<String> ids(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(i -> "e" + i).toList();
  }

  private List<String> received() {
    return service.events().stream().map(each -> (String) each.get("id")).toList();
  }

  private void awaitSent(Delivery delivery, long events) {
    Eventually.await(
        events + " events are sent",
        () -> delivery.status().sent() == events && delivery.status().queued() == 0);
  }

  @Test
  void eventsArriveInOrderInSignedBatches() throws Exception {
    try (Delivery delivery = open(target(service.url()))) {
      offer(delivery, 1, 1_000);
      awaitSent(delivery, 1_000);
    }
    assertThat(received()).isEqualTo(ids(1, 1_000));
    long sequence = 1;
    for (TestService.Received each : service.received) {
      Map<String, @Nullable Object> body = JsonReader.object(each.body());
      assertThat(body).containsEntry("version", 1L).containsEntry("target", "orders");
      assertThat(body).containsEntry("sequence", sequence);
      sequence += TestService.events(each).size();
      assertThat(TestService.events(each)).hasSizeLessThanOrEqualTo(10);
      assertThat(each.path()).isEqualTo("/hook?token=SESAME");
      assertThat(each.header("Content-type")).isEqualTo("application/json");
      assertThat(each.header("User-agent")).isEqualTo("Zonda-Webhooks/1.0.0");
      assertThat(each.header("X-zonda-signature"))
          .startsWith("t=1700000000,v1=")
          .isEqualTo(
              Signature.of(SECRET, Instant.ofEpochMilli(clock.get()), each.body().getBytes(UTF_8)));
    }
  }

  @Test
  void failuresAreRepeatedAndTheNextBatchesWait() throws Exception {
    service.answers(
        TestService.status(500),
        TestService.status(503),
        TestService.status(408),
        TestService.status(429));
    try (Delivery delivery = open(target(service.url()))) {
      offer(delivery, 1, 1);
      awaitSent(delivery, 1);
      offer(delivery, 2, 3);
      awaitSent(delivery, 3);
      assertThat(delivery.status().failures()).isEqualTo(4);
      assertThat(delivery.status().error()).contains("429");
    }
    assertThat(received().subList(0, 5)).containsOnly("e1");
    assertThat(service.received.stream().limit(5).map(TestService.Received::body).distinct())
        .hasSize(1);
    assertThat(received().subList(5, received().size())).isEqualTo(ids(2, 3));
    assertThat(log.lines).filteredOn(each -> each.startsWith("WARN")).hasSize(1);
    assertThat(log.lines.getLast()).contains("accepts events again");
  }

  @Test
  void rejectedBatchesAreKeptAndCanBeSentAgain() throws Exception {
    service.answers(TestService.status(400), TestService.status(404));
    try (Delivery delivery = open(target(service.url()))) {
      offer(delivery, 1, 1);
      Eventually.await("one is rejected", () -> delivery.status().rejected() == 1);
      offer(delivery, 2, 2);
      Eventually.await("two are rejected", () -> delivery.status().rejected() == 2);
      offer(delivery, 3, 3);
      awaitSent(delivery, 1);
      assertThat(received()).containsExactly("e1", "e2", "e3");
      assertThat(Files.readAllLines(folder.resolve("orders/rejected.jsonl")))
          .first()
          .isEqualTo(
              "{\"time\":\"1970-01-01T00:00:00.001Z\",\"rejected\":\"2023-11-14T22:13:20Z\","
                  + "\"status\":400,\"event\":{\"id\":\"e1\"}}");
      assertThat(delivery.retryRejected()).isEqualTo(2);
      awaitSent(delivery, 3);
      assertThat(received().subList(3, 5)).containsExactly("e1", "e2");
      assertThat(delivery.status().rejected()).isZero();
    }
  }

  @Test
  void retryAfterIsHonouredUpToABound() throws Exception {
    DateTimeFormatter form = DateTimeFormatter.RFC_1123_DATE_TIME.withZone(ZoneOffset.UTC);
    Instant now = Instant.ofEpochMilli(clock.get());
    Map<String, @Nullable Duration> asked =
        Map.of(
            "120",
            Duration.ofSeconds(120),
            form.format(now.plusSeconds(90)),
            Duration.ofSeconds(90),
            "999999999",
            Receiver.MOST_AFTER,
            "-5",
            Duration.ZERO,
            "soon",
            Duration.ZERO,
            form.format(now.minusSeconds(90)),
            Duration.ZERO);
    for (Map.Entry<String, @Nullable Duration> each : asked.entrySet()) {
      service.answers(TestService.status(503, "Retry-After", each.getKey()));
      try (Receiver receiver = new Receiver(target(service.url()), "1", surroundings().clock())) {
        Answer answer = receiver.post("{}".getBytes(UTF_8));
        Duration after =
            answer instanceof Answer.Failed(String _, Duration found) && found != null
                ? found
                : Duration.ZERO;
        assertThat(after).as(each.getKey()).isEqualTo(each.getValue());
      }
    }
  }

  @Test
  void aDelayEndsWhenAskedToOrWhenTheTargetChanges() throws Exception {
    service.answers(TestService.status(503, "Retry-After", "3600"));
    try (Delivery delivery = open(target(service.url()))) {
      offer(delivery, 1, 1);
      Eventually.await("it waits", () -> delivery.status().state() == Status.State.WAITING);
      assertThat(delivery.status().next())
          .isEqualTo(Instant.ofEpochMilli(clock.get()).plusSeconds(3600));
      assertThat(delivery.status().oldest()).isEqualTo(Instant.ofEpochMilli(1));
      delivery.wake();
      awaitSent(delivery, 1);
    }
    try (TestService other = TestService.start();
        Delivery delivery =
            open(
                target(
                    "moved", "http://127.0.0.1:9/", Duration.ofSeconds(5), Duration.ofHours(1)))) {
      offer(delivery, 1, 1);
      Eventually.await("it waits", () -> delivery.status().state() == Status.State.WAITING);
      delivery.change(
          target("moved", other.url(), Duration.ofSeconds(5), Duration.ofHours(1)), SYNC);
      awaitSent(delivery, 1);
      assertThat(other.events()).hasSize(1);
    }
  }

  @Test
  void row90_redirectsAreNotFollowed() throws Exception {
    try (TestService inside = TestService.start()) {
      for (int status : List.of(301, 302, 303, 307, 308)) {
        service.answers(TestService.status(status, "Location", inside.url()));
      }
      try (Delivery delivery = open(target(service.url()))) {
        offer(delivery, 1, 1);
        awaitSent(delivery, 1);
        assertThat(delivery.status().failures()).isEqualTo(5);
        assertThat(delivery.status().error()).contains("redirect").doesNotContain("SESAME");
      }
      assertThat(inside.received).isEmpty();
    }
  }

  @Test
  void row90_withoutTlsOnlyThisMachineIsAsked() throws Exception {
    try (Receiver receiver =
        new Receiver(target("http://192.0.2.1/hook"), "1", surroundings().clock())) {
      assertThat(receiver.post(new byte[0]))
          .isEqualTo(
              new Answer.Failed(
                  "http:// is for services on this machine only, and 192.0.2.1 is 192.0.2.1: use"
                      + " https://.",
                  null));
    }
  }

  @Test
  void noAnswerIsAFailure() throws Exception {
    for (String answer : List.of("", "hello\r\n\r\n", "HTTP/1.1 200", "HTTP/1.1 abc OK\r\n\r\n")) {
      ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
      Thread server = Thread.startVirtualThread(() -> answerAll(socket, answer));
      try (Receiver receiver =
          new Receiver(
              target("http://localhost:" + socket.getLocalPort() + "/"),
              "1",
              surroundings().clock())) {
        assertThat(receiver.post("{}".getBytes(UTF_8))).isInstanceOf(Answer.Failed.class);
      } finally {
        socket.close();
        server.join();
      }
    }
  }

  private static void answerAll(ServerSocket socket, String answer) {
    while (true) {
      try (Socket client = socket.accept()) {
        client.getInputStream().readNBytes(100);
        client.getOutputStream().write(answer.getBytes(UTF_8));
      } catch (IOException e) {
        return; // the test is over
      }
    }
  }

  @Test
  void aBodyWithoutEndDelaysNothing() throws Exception {
    service.answers(exchange -> {
      exchange.sendResponseHeaders(200, 0);
      byte[] much = new byte[1 << 16];
      while (true) {
        exchange.getResponseBody().write(much);
      }
    });
    try (Delivery delivery = open(target(service.url()))) {
      offer(delivery, 1, 1);
      awaitSent(delivery, 1);
      offer(delivery, 2, 2);
      awaitSent(delivery, 2);
    }
    assertThat(received()).containsExactly("e1", "e2");
  }

  @Test
  void row29_aSlowBodyAfterAnAcceptingHeadEndsWithTheTimeLimit() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    service.answers(exchange -> {
      exchange.sendResponseHeaders(200, 10);
      exchange.getResponseBody().write(1);
      exchange.getResponseBody().flush();
      release.await();
    });
    try (Delivery delivery =
        open(target("slow", service.url(), Duration.ofSeconds(3), Duration.ofMillis(2)))) {
      offer(delivery, 1, 1);
      awaitSent(delivery, 1);
      assertThat(delivery.status().failures()).isZero();
    } finally {
      release.countDown();
    }
  }

  @Test
  void oneThatHangsDelaysNoOther() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    try (TestService hanging = TestService.start();
        Delivery stuck = open(target("stuck", hanging.url(), Duration.ofMinutes(2), SYNC));
        Delivery other = open(target(service.url()))) {
      hanging.answers(_ -> release.await());
      offer(stuck, 1, 100);
      offer(other, 1, 100);
      awaitSent(other, 100);
      assertThat(stuck.status().sent()).isZero();
      assertThat(stuck.status().state()).isEqualTo(Status.State.SENDING);
    } finally {
      release.countDown();
    }
    assertThat(received()).isEqualTo(ids(1, 100));
  }

  @Test
  void aServiceThatIsAwayGetsEverythingWhenItIsBack() throws Exception {
    int port = service.port();
    service.close();
    try (Delivery delivery = open(target("http://localhost:" + port + "/hook"))) {
      offer(delivery, 1, 500);
      Eventually.await("it fails", () -> delivery.status().failures() > 1);
      clock.addAndGet(Delivery.PATIENCE.toMillis());
      Eventually.await("the administrators are told", () -> !alarms.isEmpty());
      assertThat(alarms)
          .containsExactly("The webhook target orders fails. The target cannot be reached.");
      service = TestService.startAt(port);
      awaitSent(delivery, 500);
    }
    assertThat(received()).isEqualTo(ids(1, 500));
    assertThat(alarms).hasSize(1);
    assertThat(lost).hasValue(0);
  }

  @Test
  void whatWasNotAcceptedIsSentAfterARestartWithTheSameIdentifiers() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch arrived = new CountDownLatch(1);
    service.answers(_ -> {
      arrived.countDown();
      release.await();
    });
    try (Delivery delivery = open(target(service.url()))) {
      offer(delivery, 1, 5);
      arrived.await();
    }
    release.countDown();
    List<String> before = received();
    try (Delivery delivery = open(target(service.url()))) {
      awaitSent(delivery, 5);
    }
    assertThat(received().subList(before.size(), before.size() + 5)).isEqualTo(ids(1, 5));
    assertThat(service.received.stream().map(each -> JsonReader.object(each.body()).get("queue")))
        .doesNotContainNull()
        .containsOnly(JsonReader.object(service.received.getFirst().body()).get("queue"));
  }

  @Test
  void tlsTrustsTheAuthoritiesOfTheTargetAlone() throws Exception {
    TestTls tls = TestTls.create(folder);
    try (TestService secure = TestService.start(tls.context());
        Receiver trusting =
            new Receiver(
                target("tls", secure.url(), Duration.ofSeconds(30), SYNC, List.of(tls.authority())),
                "1",
                surroundings().clock());
        Receiver plain = new Receiver(target(secure.url()), "1", surroundings().clock());
        Receiver otherName =
            new Receiver(
                target(
                    "tls",
                    secure.url().replace("localhost", "127.0.0.1"),
                    Duration.ofSeconds(30),
                    SYNC,
                    List.of(tls.authority())),
                "1",
                surroundings().clock())) {
      assertThat(trusting.post("{}".getBytes(UTF_8))).isEqualTo(new Answer.Accepted(204));
      assertThat(plain.post("{}".getBytes(UTF_8)).text()).contains("TLS with the target failed");
      assertThat(otherName.post("{}".getBytes(UTF_8)).text()).contains("TLS with the target");
      assertThat(secure.received).hasSize(1);
    }
  }
}
