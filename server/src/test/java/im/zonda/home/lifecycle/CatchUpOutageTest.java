package im.zonda.home.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A session becomes available while the log cannot be read.
final class CatchUpOutageTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");

  private final RunningRouter running = new RunningRouter(limits -> limits);
  private final RecordingStream stream = new RecordingStream();

  @AfterEach
  void stop() {
    running.close();
  }

  private void send(String text) {
    running.router.routes().route(Envelope.of(TestStanzas.message(text)));
    running.awaitIdle();
  }

  @Test
  void whatIsNewDoesNotOvertakeWhatCannotBeRead() {
    running.createAccount(JULIET.bare());
    send("1");
    running.failReads(true);
    running.becomeAvailable(JULIET, running.bind(JULIET, stream));
    send("2");
    running.advance(Duration.ofSeconds(1));
    running.awaitIdle();
    assertThat(stream.texts()).isEmpty();
    running.failReads(false);
    running.advance(Duration.ofSeconds(1));
    running.awaitIdle();
    assertThat(stream.texts()).containsExactly("1", "2");
    send("3");
    assertThat(stream.texts()).containsExactly("1", "2", "3");
  }

  /// How many messages wait is not known after a session without stream management.
  @Test
  void aMessageIsStoredAlthoughThoseThatWaitCannotBeCounted() {
    running.bind(JULIET, stream).ended();
    running.awaitIdle();
    running.failReads(true);
    send("1");
    running.failReads(false);
    send("2");
    running.becomeAvailable(JULIET, running.bind(JULIET, stream));
    assertThat(stream.texts()).containsExactly("1", "2");
  }
}
