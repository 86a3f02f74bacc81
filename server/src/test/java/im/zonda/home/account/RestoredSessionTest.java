package im.zonda.home.account;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.home.session.SavedSession;
import im.zonda.home.session.SentEntries;
import im.zonda.jid.Jid;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Sessions that were saved when the server stopped.
final class RestoredSessionTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");

  private final RunningRouter running = new RunningRouter(limits -> limits);

  @AfterEach
  void stop() {
    running.close();
  }

  private void restore(Jid jid, Instant until) {
    running.createAccount(jid.bare());
    running
        .router
        .sessions()
        .restore(
            List.of(
                new SavedSession(
                    jid,
                    "hash",
                    until,
                    7,
                    0,
                    List.of(
                        new SavedSession.Sent(
                            TestStanzas.message("kept"), Instant.ofEpochSecond(5))),
                    null,
                    false,
                    SentEntries.NONE,
                    Map.of())));
    running.awaitIdle();
  }

  @Test
  void oneWhoseTimeIsOverIsNotThere() {
    restore(JULIET, running.instant().minusSeconds(1));
    assertThat(running.at(JULIET)).isNull();
    assertThat(running.router.sessions().all()).isEmpty();
    assertThat(running.router.sessions().unacknowledgedBytes()).isZero();
  }

  @Test
  void oneThatWaitsIsThereUntilItsTimeIsOver() {
    restore(JULIET, running.instant().plusSeconds(60));
    running.advance(Duration.ofSeconds(59));
    running.awaitIdle();
    assertThat(running.at(JULIET)).isNotNull();
    running.advance(Duration.ofSeconds(1));
    running.awaitIdle();
    assertThat(running.at(JULIET)).isNull();
    assertThat(running.router.sessions().all()).isEmpty();
    assertThat(running.router.sessions().unacknowledgedBytes()).isZero();
  }

  @Test
  void oneOfAHostThatIsNoMoreIsNotKept() {
    restore(Jid.of("juliet@example.net/balcony"), running.instant().plusSeconds(60));
    assertThat(running.router.sessions().all()).isEmpty();
    assertThat(running.router.sessions().unacknowledgedBytes()).isZero();
  }

  @Test
  void theTimeOfWhatItWasSentIsSavedWithIt() {
    restore(JULIET, running.instant().plusSeconds(60));
    assertThat(running.router.sessions().save())
        .singleElement()
        .satisfies(saved ->
            assertThat(saved.unacknowledged())
                .extracting(SavedSession.Sent::time)
                .containsExactly(Instant.ofEpochSecond(5)));
  }
}
