package im.zonda.home.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import im.zonda.home.session.LocalSession;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.stanza.StreamErrorCondition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// When all sessions together have too much unacknowledged, those who have most of it pay.
final class SharedBoundTest {
  private static final int TOTAL = 400_000;
  private static final Logger LOG = (Logger) LoggerFactory.getLogger(SharedBound.class);

  private final RunningRouter running =
      new RunningRouter(limits ->
          TestRecords.with(
              TestRecords.with(limits, "unacknowledgedBytes", 65_536),
              "allUnacknowledgedBytes",
              (long) TOTAL));
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  /// A session and all of its streams.
  private record Client(Jid jid, RecordingStream stream, TestLink link, String id) {}

  @BeforeEach
  void listen() {
    lines.start();
    LOG.addAppender(lines);
  }

  @AfterEach
  void stop() {
    LOG.detachAppender(lines);
    running.close();
  }

  private Client client(String address) {
    RecordingStream stream = new RecordingStream();
    TestLink link = running.bind(Jid.of(address), stream);
    return new Client(Jid.of(address), stream, link, link.manage());
  }

  private void say(Client to, String body, int bytes) {
    running
        .router
        .routes()
        .route(
            Envelope.of(
                TestStanzas.of(
                    "<message type='headline' from='romeo@example.org/orchard' to='"
                        + to.jid
                        + "'><body>"
                        + body
                        + "</body><x>"
                        + "x".repeat(bytes)
                        + "</x></message>")));
  }

  private Client detached(String address, int bytes) {
    Client client = client(address);
    client.link.lost();
    say(client, "kept", bytes);
    running.awaitIdle();
    return client;
  }

  private boolean isThere(Client client) {
    return running.at(client.jid) != null;
  }

  @Test
  void theAccountThatUsesMostPaysAndNobodyElseNotices() {
    List<Client> hogs = new ArrayList<>();
    for (int account = 0; account < 3; account++) {
      for (int i = 0; i < 6; i++) {
        hogs.add(detached("hog" + account + "@example.org/r" + i, 20_000));
      }
    }
    // More in one session than any of the hogs, but less than an account of theirs.
    Client nurse = detached("nurse@example.org/phone", 30_000);
    Client juliet = client("juliet@example.org/balcony");
    List<String> said = new ArrayList<>();
    for (int round = 0; round < 30; round++) {
      String body = "m" + round;
      said.add(body);
      say(juliet, body, 1_000);
      running.awaitIdle();
      assertThat(juliet.stream.texts()).isEqualTo(said);
      assertThat(client("juliet@example.org/login" + round % 4).stream.closedWith()).isNull();
    }
    running.awaitIdle();
    assertThat(running.router.sessions().unacknowledgedBytes()).isLessThan(TOTAL);
    assertThat(juliet.stream.closedWith()).isNull();
    assertThat(isThere(juliet)).isTrue();
    assertThat(isThere(nurse)).isTrue();
    assertThat(hogs).anyMatch(hog -> !isThere(hog));
    // Each account as much as the others.
    for (int account = 0; account < 3; account++) {
      String name = "hog" + account;
      assertThat(hogs.stream().filter(hog -> name.equals(hog.jid.local()) && isThere(hog)))
          .hasSizeGreaterThan(3);
    }
    assertThat(lines.list).hasSize(1);
    ILoggingEvent line = lines.list.getFirst();
    assertThat(line.getLevel()).isEqualTo(Level.WARN);
    assertThat(line.getKeyValuePairs().toString()).contains("ended=", "largest=", "hog");
  }

  @Test
  void ofOneAccountTheSessionsWithoutAStreamPayFirstTheLargestAndThenTheOldest() {
    Client attached = client("hog@example.org/attached");
    say(attached, "much", 60_000);
    detached("hog@example.org/small", 30_000);
    detached("hog@example.org/new", 40_000);
    running.advance(Duration.ofSeconds(-1));
    detached("hog@example.org/old", 40_000);
    detached("hog@example.org/large", 50_000);
    detached("juliet@example.org/phone", 20_000);
    detached("nurse@example.org/phone", 25_000);
    assertThat(paying(1)).containsExactly("large");
    assertThat(paying(60_000)).containsExactly("large", "old");
    // What is left of the account is less than others have in the end.
    assertThat(paying(250_000))
        .containsExactly("large", "old", "new", "small", "attached", "phone", "phone");
    assertThat(paying(0)).isEmpty();
  }

  private List<String> paying(long excess) {
    List<LocalSession> all =
        Stream.of("hog/attached", "hog/small", "hog/new", "hog/old", "hog/large")
            .map(name -> name.replace("/", "@example.org/"))
            .map(name -> Objects.requireNonNull(running.at(Jid.of(name))))
            .collect(Collectors.toCollection(ArrayList::new));
    all.add(Objects.requireNonNull(running.at(Jid.of("juliet@example.org/phone"))));
    all.add(Objects.requireNonNull(running.at(Jid.of("nurse@example.org/phone"))));
    return SharedBound.paying(all, excess).stream()
        .map(each -> each.session().jid().resource())
        .toList();
  }

  @Test
  void whoHasNoSessionWithoutAStreamPaysWithOneThatHas() {
    List<Client> hogs =
        IntStream.range(0, 8).mapToObj(i -> client("hog" + i + "@example.org/r")).toList();
    for (int i = 0; i < hogs.size(); i++) {
      say(hogs.get(i), "much", 40_000 + i);
    }
    Client phone = detached("juliet@example.org/phone", 100);
    Client juliet = client("juliet@example.org/balcony");
    for (int i = 0; i < 20; i++) {
      say(juliet, "m" + i, 1_000);
    }
    for (int i = 0; i < 20 && running.router.sessions().unacknowledgedBytes() <= TOTAL; i++) {
      Client next = client("next" + i + "@example.org/r");
      say(next, "much", 10_000);
      running.awaitIdle();
      assertThat(next.stream.closedWith()).isNull();
      if (hogs.getLast().stream.closedWith() != null) {
        break;
      }
    }
    Client largest = hogs.getLast();
    assertThat(largest.stream.closedWith()).isEqualTo(StreamErrorCondition.RESOURCE_CONSTRAINT);
    assertThat(isThere(largest)).isFalse();
    assertThat(isThere(phone)).isTrue();
    assertThat(juliet.stream.closedWith()).isNull();
    assertThat(juliet.stream.stanzas()).hasSize(20);
  }

  /// What ends is what a test of many threads must never find half done: nothing of the budget is
  /// taken by nobody.
  @Test
  void manyWhoFillItAtTheSameTimeLeaveNothingBehind() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      String name = "hog" + t;
      threads.add(
          Thread.startVirtualThread(() -> {
            for (int i = 0; i < 60; i++) {
              Client client = client(name + "@example.org/r" + i % 9);
              if (i % 3 > 0) {
                client.link.lost();
              }
              say(client, "much", 20_000 + 100 * i);
            }
          }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    running.awaitIdle();
    // One more stanza: who took the last may not have been seen.
    say(client("juliet@example.org/balcony"), "m", 10);
    running.awaitIdle();
    assertThat(running.router.sessions().unacknowledgedBytes()).isLessThanOrEqualTo(TOTAL);
    for (int t = 0; t < 8; t++) {
      running.router.forget(Jid.of("hog" + t + "@example.org"));
    }
    running.router.forget(Jid.of("juliet@example.org"));
    running.awaitIdle();
    assertThat(running.router.sessions().unacknowledgedBytes()).isZero();
    assertThat(running.router.sessions().all()).isEmpty();
  }

  @Test
  void theOldestOfManySessionsWithoutAStreamMakesRoom() {
    List<Client> phones = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      phones.add(detached("juliet@example.org/phone" + i, 10));
      running.advance(Duration.ofSeconds(1));
    }
    assertThat(phones.subList(0, 2)).noneMatch(this::isThere);
    assertThat(phones.subList(2, 12)).allMatch(this::isThere);
  }
}
