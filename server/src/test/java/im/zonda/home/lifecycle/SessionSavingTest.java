package im.zonda.home.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.home.session.LocalSession;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.home.session.TestSnapshot;
import im.zonda.jid.Jid;
import im.zonda.session.SessionKey;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.xml.QName;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
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
    running
        .router
        .sessions()
        .registry()
        .submit(
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
            LockSupport.parkNanos(1_000_000);
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
    List<SessionSnapshot> saved = running.router.sessions().save();
    done.set(true);
    assertThat(saved).singleElement().extracting(each -> each.received().handled()).isEqualTo(1L);
    assertThat(running.log().waitingCount(JULIET)).isEqualTo(1);
  }

  /// Its homes do not answer, and the sessions are at other nodes already.
  @Test
  void aNodeThatWasEvictedSavesNothingAndWaitsForNoHome() {
    TestLink romeo = running.bind(ROMEO, new RecordingStream());
    romeo.manage();
    romeo.lost();
    running.awaitIdle();
    running.evict();
    assertThat(running.router.sessions().save()).isEmpty();
  }

  /// What a module keeps with a session costs only itself if it cannot be written or read.
  @Test
  void aValueThatFailsKeepsNoOtherFromBeingSaved() {
    SessionKey<String> good = key("good", text -> text, text -> text);
    SessionKey<String> unwritable = key("unwritable", text -> failing(), text -> text);
    SessionKey<String> unreadable = key("unreadable", text -> text, text -> failing());
    TestLink romeo = running.bind(ROMEO, new RecordingStream());
    romeo.manage();
    LocalSession session = Objects.requireNonNull(running.at(ROMEO));
    session.set(unwritable, "a");
    session.set(good, "b");
    session.set(unreadable, "c");
    romeo.lost();
    running.awaitIdle();
    List<SessionSnapshot> saved = running.router.sessions().save();
    assertThat(saved)
        .singleElement()
        .satisfies(each ->
            assertThat(each.state().values())
                .containsEntry("good", "b")
                .containsEntry("unreadable", "c")
                .doesNotContainKey("unwritable"));
    try (RunningRouter next = new RunningRouter(limits -> limits)) {
      next.createAccount(ROMEO.bare());
      next.router.sessions().restore(saved);
      LocalSession restored = Objects.requireNonNull(next.at(ROMEO));
      assertThat(restored.get(unreadable)).isNull();
      assertThat(restored.get(good)).isEqualTo("b");
    }
  }

  private static SessionKey<String> key(
      String name, Function<String, String> write, Function<String, String> read) {
    return new SessionKey<>(name, String.class, write, read);
  }

  private static String failing() {
    throw new IllegalStateException("made to fail by the test");
  }

  @Test
  void aStanzaWhosePlaceInTheLogIsNotKnownKeepsNoSessionFromItsHome() {
    Stanza broken =
        ((Message) TestStanzas.message("broken"))
            .withPayload(new QName("urn:xmpp:sid:0", "stanza-id"), "<broken <>".getBytes(UTF_8));
    running.createAccount(ROMEO.bare());
    running.createAccount(JULIET);
    Jid balcony = JULIET.withResource("balcony");
    running
        .router
        .sessions()
        .restore(List.of(saved(ROMEO, broken), saved(balcony, TestStanzas.message("kept"))));
    running.awaitIdle();
    assertThat(running.at(ROMEO)).isNotNull();
    assertThat(running.at(balcony)).isNotNull();
  }

  private SessionSnapshot saved(Jid jid, Stanza sent) {
    Instant now = running.instant();
    return TestSnapshot.of(jid, "hash of " + jid, now.plusSeconds(60))
        .sent(now, List.of(sent))
        .saved();
  }
}
