package im.zonda.home.account;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.home.session.SavedSession;
import im.zonda.jid.Jid;
import im.zonda.stanza.Stanza;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Sessions that are saved while what their clients have sent is on its way through the server.
final class SessionSavingTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org/orchard");
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final Stanza MESSAGE =
      TestStanzas.of("<message to='juliet@example.org' type='chat'><body>wait</body></message>");

  private final RunningRouter running = new RunningRouter(limits -> limits);
  private final CountDownLatch julietRuns = new CountDownLatch(1);

  @AfterEach
  void stop() {
    julietRuns.countDown();
    running.close();
  }

  private void keepJulietBusy() {
    running.createAccount(JULIET);
    running.router.submit(
        JULIET,
        true,
        home -> {
          try {
            julietRuns.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /// Ends what keeps Juliet's home busy as soon as the caller waits, or `done` is set.
  private void freeJulietWhenItWaits(AtomicBoolean done) {
    Thread caller = Thread.currentThread();
    Thread.ofVirtual()
        .start(() -> {
          while (caller.getState() != Thread.State.TIMED_WAITING && !done.get()) {
            Thread.onSpinWait();
          }
          julietRuns.countDown();
        });
  }

  @Test
  void whatWaitsForItsReceiverIsCounted() {
    TestLink romeo = running.bind(ROMEO, new RecordingStream());
    romeo.manage();
    keepJulietBusy();
    romeo.received(MESSAGE);
    romeo.lost();
    AtomicBoolean done = new AtomicBoolean();
    freeJulietWhenItWaits(done);
    List<SavedSession> saved = running.router.sessions().save();
    done.set(true);
    assertThat(saved).singleElement().extracting(SavedSession::handled).isEqualTo(1L);
    assertThat(running.log().waitingCount(JULIET)).isEqualTo(1);
  }
}
