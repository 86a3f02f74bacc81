package im.zonda.home.lifecycle.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.home.lifecycle.RecordingStream;
import im.zonda.home.lifecycle.RunningRouter;
import im.zonda.home.lifecycle.TestStanzas;
import im.zonda.home.session.KeptState;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.home.session.StreamManagementState;
import im.zonda.home.session.TestSnapshot;
import im.zonda.jid.Jid;
import im.zonda.link.LostSession;
import im.zonda.link.SessionVersion;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.stanza.Presence;
import im.zonda.stanza.StreamErrorCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A session that was restored from a copy after the loss of its home, and may be older than what
/// its client knows by a stream. Whether it is, is decided by versions alone.
final class OutdatedSessionTest {
  private static final String ID = "id";
  private static final Jid ROMEO = Jid.of("romeo@example.org/orchard");
  private static final ToStream CONFLICT =
      new ToStream.Close(StreamErrorCondition.CONFLICT, "resumed by a new connection");

  private final RunningRouter running = RunningRouter.inCluster();

  /// The last stream that has asked for the session.
  private RecordingStream stream = new RecordingStream();

  private Jid juliet = Jid.of("juliet@example.org/balcony");
  private int cases;

  @AfterEach
  void stop() {
    running.close();
  }

  // ---- what happens

  /// Restores a session of that version, to which more is sent before any stream comes.
  private void restore(SessionVersion version, int more) {
    running.createAccount(juliet.bare());
    running.router.sessions().restore(replica(version));
    running.router.sessions().opened();
    running.awaitIdle();
    for (int i = 1; i <= more; i++) {
      send("more " + i);
    }
  }

  private SessionSnapshot replica(SessionVersion version) {
    Instant now = running.instant();
    return TestSnapshot.of(juliet, StreamManagementState.hash(ID), now.plusSeconds(60))
        .resumptions(version.resumptions())
        .handled(version.handled())
        .sent(
            now,
            LongStream.rangeClosed(1, version.sent())
                .mapToObj(number -> TestStanzas.message("copied " + number))
                .toList())
        .presence(presence())
        .replica();
  }

  private Presence presence() {
    return Presence.of(Presence.Type.AVAILABLE, juliet, null, null, List.of());
  }

  private void send(String text) {
    running
        .router
        .routes()
        .route(
            new Envelope(
                TestStanzas.message(text).withAddresses(ROMEO, juliet.bare()), Origin.NONE, null));
    running.awaitIdle();
  }

  private void resume(SessionVersion version) {
    receive(new ToSession.Resume(juliet.bare(), ID, 0, false, version));
  }

  private void resume(long h) {
    receive(new ToSession.Resume(juliet.bare(), ID, h));
  }

  private void recover(SessionVersion version) {
    KeptState state =
        new KeptState(
            new SessionSnapshot.State(
                juliet,
                StreamManagementState.hash(ID),
                version.resumptions(),
                presence(),
                Map.of()),
            0);
    receive(
        new ToSession.Recover(
            new LostSession(
                juliet,
                state.write(),
                ID,
                new LostSession.Counts(version.handled(), 0),
                Map.of(),
                LongStream.rangeClosed(1, version.sent())
                    .mapToObj(number ->
                        new LostSession.Sent(TestStanzas.message("kept " + number), Duration.ZERO))
                    .toList())));
  }

  private void receive(ToSession value) {
    stream = new RecordingStream();
    running.router.sessions().open(stream).receive(value);
    running.awaitIdle();
  }

  private ToStream resumed(SessionVersion version) {
    return new ToStream.Resumed(juliet, version.handled(), 0, version.resumptions());
  }

  private SessionVersion version() {
    return Objects.requireNonNull(running.at(juliet)).version();
  }

  /// Another account, and another stream.
  private void next() {
    cases++;
    juliet = Jid.of("juliet" + cases + "@example.org/balcony");
  }

  private static List<SessionVersion> versions() {
    List<SessionVersion> all = new ArrayList<>();
    for (int resumptions = 0; resumptions < 2; resumptions++) {
      for (int sent = 0; sent < 3; sent++) {
        for (int handled = 690; handled < 692; handled++) {
          all.add(new SessionVersion(resumptions, sent, handled));
        }
      }
    }
    return all;
  }

  // ---- all comparisons

  @Test
  void itsVersionIsThatOfItsCopyUntilAStreamHasBeenGivenIt() {
    restore(new SessionVersion(1, 2, 690), 2);
    assertThat(version()).isEqualTo(new SessionVersion(1, 2, 690));
    resume(version());
    assertThat(version()).isEqualTo(new SessionVersion(1, 4, 690));
  }

  @Test
  void aStreamResumesItIfItsVersionCoversThatOfTheStream() {
    for (SessionVersion here : versions()) {
      for (SessionVersion there : versions()) {
        next();
        restore(here, 2);
        resume(there);
        ToStream expected =
            here.covers(there)
                ? resumed(here)
                : there.resumptions() < here.resumptions()
                    ? CONFLICT
                    : new ToStream.SessionNotFound(null);
        assertThat(stream.values()).as(here + " " + there).startsWith(expected);
      }
    }
  }

  @Test
  void aStreamReplacesItUnlessItsVersionCoversThatOfTheStream() {
    for (SessionVersion here : versions()) {
      for (SessionVersion there : versions()) {
        next();
        restore(here, 2);
        recover(there);
        boolean left = there.resumptions() < here.resumptions();
        assertThat(stream.values())
            .as(here + " " + there)
            .startsWith(here.covers(there) ? resumed(here) : left ? CONFLICT : resumed(there));
        assertThat(version().covers(left ? here : there)).as(here + " " + there).isTrue();
        assertThat(stream.texts().stream().filter(each -> each.startsWith("more")))
            .as(here + " " + there)
            .hasSize(left ? 0 : 2);
      }
    }
  }

  /// What the client has got of a stream that no node knows any more has numbers that the copy has
  /// not given, or has given to other stanzas.
  @Test
  void aClientResumesItIfItsVersionCoversTheCount() {
    for (int sent = 0; sent < 3; sent++) {
      for (int h = 0; h < 5; h++) {
        next();
        SessionVersion here = new SessionVersion(0, sent, 690);
        restore(here, 2);
        resume(h);
        if (here.covers(new SessionVersion(0, h, 0))) {
          assertThat(stream.values()).startsWith(new ToStream.Resumed(juliet, 690, h, 1));
          assertThat(stream.texts()).hasSize(sent - h + 2);
        } else {
          assertThat(stream.values()).containsExactly(new ToStream.SessionNotFound(690L));
          assertThat(running.at(juliet)).isNull();
          assertThat(running.log().waitingCount(juliet.bare())).isEqualTo(2);
        }
      }
    }
  }

  // ---- what the comparisons before had overlooked

  /// Its home knows nothing of two stanzas that the client has got, and has given their numbers to
  /// others, which the stream would discard.
  @Test
  void aStreamThatHasBeenSentMoreThanItsCopyReplacesIt() {
    restore(new SessionVersion(0, 0, 690), 3);
    resume(new SessionVersion(0, 2, 690));
    assertThat(stream.values()).containsExactly(new ToStream.SessionNotFound(null));
    recover(new SessionVersion(0, 2, 690));
    assertThat(stream.texts()).containsExactly("kept 1", "kept 2", "more 1", "more 2", "more 3");
  }

  /// The restored session moves to another node before its stream resumes it. Stanzas that no
  /// stream was given do not raise its version there either.
  @Test
  void itIsNoNewerWhereItMoves() {
    restore(new SessionVersion(0, 1, 690), 2);
    List<SessionSnapshot> moving = running.router.unload(juliet.bare()::equals, (_, _) -> {});
    assertThat(moving).hasSize(1);
    running.router.sessions().restore(moving.getFirst());
    running.router.sessions().opened();
    running.awaitIdle();
    assertThat(version()).isEqualTo(new SessionVersion(0, 1, 690));
    resume(new SessionVersion(0, 2, 690));
    assertThat(stream.values()).containsExactly(new ToStream.SessionNotFound(null));
  }

  /// Its client would get a smaller count than before.
  @Test
  void aStreamWhoseClientKnowsAHigherCountReplacesIt() {
    restore(new SessionVersion(0, 0, 690), 0);
    resume(new SessionVersion(0, 0, 691));
    assertThat(stream.values()).containsExactly(new ToStream.SessionNotFound(null));
    recover(new SessionVersion(0, 0, 691));
    assertThat(stream.values()).containsExactly(resumed(new SessionVersion(0, 0, 691)));
  }

  /// A keeper of the version before does not say how many stanzas of its client were handled.
  @Test
  void aStreamThatSaysNoCountResumesIt() {
    restore(new SessionVersion(0, 0, 690), 0);
    resume(new SessionVersion(0, 0, 0));
    assertThat(stream.values()).containsExactly(resumed(new SessionVersion(0, 0, 690)));
  }

  /// The client had left its first stream at the home that died, which knew of one stanza more, and
  /// leaves it here for a third one: both resumptions came next after that of the first stream.
  @Test
  void aStreamOnWhichItsFormerHomeHadResumedItDoesNotTakeItFromTheClient() {
    running.epoch(6);
    restore(new SessionVersion(0, 0, 690), 0);
    resume(0);
    assertThat(stream.values()).hasSize(1);
    SessionVersion former = new SessionVersion(SessionVersion.nextResumption(0, 5), 3, 691);
    resume(former);
    assertThat(stream.values()).containsExactly(CONFLICT);
    recover(former);
    assertThat(stream.values()).containsExactly(CONFLICT);
    assertThat(version().resumptions()).isGreaterThan(former.resumptions());
  }
}
