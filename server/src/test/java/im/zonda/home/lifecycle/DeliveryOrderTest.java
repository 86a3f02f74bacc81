package im.zonda.home.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.stanza.Message;
import im.zonda.store.MessageLog.Entry;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The order of messages while the waiting messages of an account are counted, which blocks.
final class DeliveryOrderTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");

  private final RunningRouter running = new RunningRouter(limits -> limits);

  @AfterEach
  void stop() {
    running.close();
  }

  private void send(String text) {
    running.router.routes().route(Envelope.of(TestStanzas.message(text)));
  }

  /// How many messages of a session without stream management have reached its client is not known
  /// when it ends. The first message that must wait after that has them counted.
  @Test
  void messagesThatArriveDuringTheCountAreBehindTheOnesThatWaitForIt() {
    running.bind(JULIET, new RecordingStream()).ended();
    running.awaitIdle();
    CountDownLatch queued = new CountDownLatch(1);
    running
        .router
        .sessions()
        .registry()
        .submit(
            JULIET.bare(),
            true,
            home -> {
              try {
                queued.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    send("1");
    running.router.sessions().registry().submit(JULIET.bare(), false, home -> send("3"));
    send("2");
    queued.countDown();
    running.awaitIdle();
    List<Entry> waiting = running.log().waiting(JULIET.bare(), 0, 10, 100_000);
    assertThat(waiting)
        .extracting(Entry::message)
        .extracting(Message.class::cast)
        .extracting(TestStanzas::text)
        .containsExactly("1", "2", "3");
  }
}
