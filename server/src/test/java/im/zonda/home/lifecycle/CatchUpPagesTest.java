package im.zonda.home.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.stanza.Stanza;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A long absence: what waits is read in large pages, and little of it is in memory at a time.
final class CatchUpPagesTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");
  private static final Jid PHONE = Jid.of("juliet@example.org/phone");
  private static final int WAITING = 10_000;

  /// The most that is on its way to a client.
  private static final int WINDOW = 1_000;

  private final RunningRouter running = new RunningRouter(limits -> limits);
  private final RecordingStream stream = new RecordingStream();

  @AfterEach
  void stop() {
    running.close();
  }

  /// What comes while a session catches up goes through the log, but is not late.
  @Test
  void onlyWhatWaitedIsLate() {
    running.createAccount(JULIET.bare());
    for (int i = 0; i < WINDOW + 10; i++) {
      send("waited");
    }
    running.advance(Duration.ofSeconds(1));
    TestLink juliet = running.bind(JULIET, stream);
    juliet.manage();
    running.becomeAvailable(JULIET, juliet);
    running.advance(Duration.ofSeconds(1));
    send("now");
    running.advance(Duration.ofSeconds(10));
    send("then");
    juliet.acknowledged(WINDOW);
    running.awaitIdle();
    assertThat(stream.texts()).hasSize(WINDOW + 12).endsWith("waited", "now", "then");
    assertThat(running.late()).hasSize(WINDOW + 11);
    assertThat(TestStanzas.text(running.late().getLast())).isEqualTo("now");
  }

  private void send(String text) {
    running.router.routes().route(Envelope.of(TestStanzas.message(text)));
    running.awaitIdle();
  }

  /// Such as a stream that has not written the message before the client binds the resource again.
  @Test
  void whatAnotherSessionLeavesMeanwhileIsReadToo() {
    running.createAccount(JULIET.bare());
    for (int i = 0; i < WINDOW; i++) {
      send("waited");
    }
    TestLink phone = running.bind(PHONE, new RecordingStream());
    phone.received(
        TestStanzas.of("<message to='romeo@example.org'/>")); // it gets messages from now on
    running.awaitIdle();
    Stanza own = TestStanzas.message("for the phone");
    running.router.routes().route(Envelope.of(own.withAddresses(own.from(), PHONE)));
    for (int i = 0; i < WINDOW / 2; i++) {
      send("waited");
    }
    TestLink juliet = running.bind(JULIET, stream);
    juliet.manage();
    running.becomeAvailable(JULIET, juliet);
    juliet.acknowledged(WINDOW / 2);
    running.awaitIdle();
    phone.ended();
    running.awaitIdle();
    assertThat(stream.texts()).hasSize(WINDOW + WINDOW / 2 - 1).doesNotContain("for the phone");
    juliet.acknowledged(WINDOW + WINDOW / 2 - 1);
    running.awaitIdle();
    assertThat(stream.texts()).hasSize(WINDOW + WINDOW / 2 + 1).endsWith("for the phone");
  }

  @Test
  void tenThousandMessagesNeedFewReadsAndLittleMemory() {
    running.createAccount(JULIET.bare());
    List<String> texts = IntStream.range(0, WAITING).mapToObj(Integer::toString).toList();
    texts.forEach(text -> running.router.routes().route(Envelope.of(TestStanzas.message(text))));
    running.awaitIdle();
    int before = running.reads();
    TestLink juliet = running.bind(JULIET, stream);
    juliet.manage();
    running.becomeAvailable(JULIET, juliet);
    for (int acknowledged = 0; acknowledged < WAITING; ) {
      int sent = stream.delivered().size();
      assertThat(sent - acknowledged).isPositive().isLessThanOrEqualTo(WINDOW);
      acknowledged = Math.min(sent, acknowledged + WINDOW / 2);
      juliet.acknowledged(acknowledged);
      running.awaitIdle();
    }
    assertThat(stream.texts()).isEqualTo(texts);
    assertThat(running.reads() - before).isLessThanOrEqualTo(2 * WAITING / WINDOW + 2);
    assertThat(running.log().waitingCount(JULIET.bare())).isZero();
  }
}
