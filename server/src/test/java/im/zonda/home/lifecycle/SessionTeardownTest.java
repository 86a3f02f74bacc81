package im.zonda.home.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.replica.ReplicaListener;
import im.zonda.cluster.replica.Replication;
import im.zonda.home.session.IllegalPhases;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.StreamManagementState;
import im.zonda.jid.Jid;
import im.zonda.link.ToStream;
import im.zonda.module.Envelope;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Whatever fails while a session loses its stream, is resumed or ends: nothing is left half done.
final class SessionTeardownTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");
  private static final Jid ROMEO = Jid.of("romeo@example.org/orchard");

  private boolean copiesFail;

  private final RunningRouter running = new RunningRouter(limits -> limits, new Copying());

  private final class Copying implements Replication {
    @Override
    public boolean hasStandby(Jid home) {
      return false;
    }

    @Override
    public void copy(
        Jid home, Map<String, byte @Nullable []> parts, @Nullable ReplicaListener listener) {
      if (copiesFail) {
        throw new IllegalStateException("made to fail by the test");
      }
    }
  }

  @AfterEach
  void stop() {
    running.close();
  }

  private void send(Stanza message) {
    Stanza addressed = message.withAddresses(ROMEO, JULIET.bare());
    running.router.routes().route(Envelope.of(addressed));
    running.awaitIdle();
  }

  private TestLink available() {
    TestLink link = running.bind(JULIET, new RecordingStream());
    running.becomeAvailable(JULIET, link);
    return link;
  }

  private LocalSession session() {
    return Objects.requireNonNull(running.at(JULIET));
  }

  /// A client with a fixed resource comes back, and has everything.
  private void assertComesBackAndGets(String... texts) {
    TestLink again = available();
    running.awaitIdle();
    assertThat(again.stream().texts()).containsExactly(texts);
    assertThat(running.router.sessions().all()).hasSize(1);
  }

  /// What is not acknowledged is kept as bytes when it is much.
  @Test
  void aKeptStanzaThatCannotBeReadDoesNotKeepTheSession() {
    TestLink link = available();
    link.manage();
    send(TestStanzas.message("x".repeat(20_000)));
    LocalSession session = session();
    session.send(TestStanzas.unreadable(TestStanzas.message("unreadable")));
    running.awaitIdle();
    link.lost();
    running.awaitIdle();
    assertThat(session.isDetached()).isTrue();
    send(TestStanzas.message("while there is no stream"));
    assertComesBackAndGets("x".repeat(20_000), "while there is no stream");
  }

  @Test
  void aCopyThatCannotBeRemovedDoesNotKeepTheMessages() {
    TestLink link = available();
    link.manage();
    send(TestStanzas.message("not acknowledged"));
    session().copied(true);
    copiesFail = true;
    link.ended();
    running.awaitIdle();
    assertThat(running.at(JULIET)).isNull();
    assertComesBackAndGets("not acknowledged");
  }

  @Test
  void withoutATimerTheSessionEnds() {
    TestLink link = available();
    link.manage();
    send(TestStanzas.message("not acknowledged"));
    running.failTimers(true);
    link.lost();
    running.awaitIdle();
    running.failTimers(false);
    assertThat(running.at(JULIET)).isNull();
    assertComesBackAndGets("not acknowledged");
  }

  /// The client gives up on a stream that waits until its stanza is handled.
  @Test
  void theLastStreamThatWaitsGetsTheSession() {
    TestLink link = available();
    String id = link.manage();
    LocalSession session = session();
    running.router.sessions().registry().submit(JULIET.bare(), false, home -> session.arrived(1));
    link.lost();
    RecordingStream second = new RecordingStream();
    RecordingStream third = new RecordingStream();
    CompletableFuture<ToStream> _ = running.link(second).resume(JULIET, id, 0);
    CompletableFuture<ToStream> _ = running.link(third).resume(JULIET, id, 0);
    running.awaitIdle();
    assertThat(second.closedWith()).isEqualTo(StreamErrorCondition.CONFLICT);
    assertThat(third.values()).as("the stanza is not handled").isEmpty();
    running.router.sessions().handled(JULIET.bare(), StreamManagementState.hash(id), 1);
    running.awaitIdle();
    assertThat(third.values()).hasExactlyElementsOfTypes(ToStream.Resumed.class);
    assertThat(second.values()).hasExactlyElementsOfTypes(ToStream.Close.class);
  }

  /// A defect of the server: the session has a stream and is given to it once more.
  @Test
  void aSessionInAnIllegalPhaseEndsAndItsMessagesWait() {
    TestLink link = available();
    link.manage();
    send(TestStanzas.message("not acknowledged"));
    LocalSession session = session();
    running
        .router
        .sessions()
        .registry()
        .submit(
            JULIET.bare(),
            false,
            home ->
                session.resumed(
                    Objects.requireNonNull(session.link()),
                    new ToStream.Resumed(JULIET, 0, 0),
                    (message, time) -> message));
    running.awaitIdle();
    assertThat(IllegalPhases.take()).hasSize(1);
    assertThat(link.stream().closedWith()).isEqualTo(StreamErrorCondition.INTERNAL_SERVER_ERROR);
    assertThat(running.at(JULIET)).isNull();
    assertComesBackAndGets("not acknowledged");
  }

  /// A stream that fails when its session continues on it.
  private static final class BrokenStream extends RecordingStream {
    @Override
    public synchronized void receive(ToStream value) {
      super.receive(value);
      if (value instanceof ToStream.Resumed || value instanceof ToStream.Bound) {
        throw new IllegalStateException("made to fail by the test");
      }
    }
  }

  @Test
  void aSessionThatCannotBeginEnds() {
    running.createAccount(JULIET.bare());
    BrokenStream broken = new BrokenStream();
    CompletableFuture<ToStream> _ = running.link(broken).bind(JULIET);
    running.awaitIdle();
    assertThat(broken.closedWith()).isEqualTo(StreamErrorCondition.INTERNAL_SERVER_ERROR);
    assertThat(running.at(JULIET)).isNull();
    assertComesBackAndGets();
  }

  @Test
  void aSessionThatCannotContinueOnAStreamWaitsForTheNext() {
    TestLink link = available();
    String id = link.manage();
    send(TestStanzas.message("1"));
    link.lost();
    running.awaitIdle();
    RecordingStream broken = new BrokenStream();
    CompletableFuture<ToStream> _ = running.link(broken).resume(JULIET, id, 0);
    running.awaitIdle();
    assertThat(broken.closedWith()).isEqualTo(StreamErrorCondition.INTERNAL_SERVER_ERROR);
    assertThat(session().isDetached()).isTrue();
    send(TestStanzas.message("2"));
    RecordingStream next = new RecordingStream();
    CompletableFuture<ToStream> _ = running.link(next).resume(JULIET, id, 0);
    running.awaitIdle();
    assertThat(next.texts()).containsExactly("1", "2");
  }

  @Test
  void aWaitingMessageThatNoFilterCanJudgeKeepsNoOtherFromItsSession() {
    running.createAccount(JULIET.bare());
    send(TestStanzas.message("1"));
    send(TestStanzas.message("2"));
    send(TestStanzas.message("3"));
    running.failFilters("2");
    assertComesBackAndGets("1", "3");
    assertThat(running.log().waitingCount(JULIET.bare())).isPositive();
  }

  @Test
  void messagesThatCannotBeMarkedAsLateArrive() {
    running.failMarks(true);
    running.createAccount(JULIET.bare());
    send(TestStanzas.message("1"));
    send(TestStanzas.message("2"));
    TestLink link = available();
    String id = link.manage();
    send(TestStanzas.message("3"));
    send(TestStanzas.message("4"));
    assertThat(link.stream().texts()).containsExactly("1", "2", "3", "4");
    running.advance(Duration.ofMinutes(1));
    RecordingStream next = new RecordingStream();
    CompletableFuture<ToStream> _ = running.link(next).resume(JULIET, id, 0);
    running.awaitIdle();
    assertThat(next.texts()).containsExactly("3", "4");
  }

  @Test
  void aSessionThatCannotContinueOnAStreamExpires() {
    TestLink link = available();
    String id = link.manage();
    link.lost();
    running.awaitIdle();
    CompletableFuture<ToStream> _ = running.link(new BrokenStream()).resume(JULIET, id, 0);
    running.awaitIdle();
    running.advance(Duration.ofHours(1));
    running.awaitIdle();
    assertThat(running.at(JULIET)).isNull();
  }
}
