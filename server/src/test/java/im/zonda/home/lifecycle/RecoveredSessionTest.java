package im.zonda.home.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.cluster.replica.ReplicaListener;
import im.zonda.cluster.replica.Replication;
import im.zonda.home.session.KeptState;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.home.session.StreamManagementState;
import im.zonda.home.session.TestSnapshot;
import im.zonda.jid.Jid;
import im.zonda.link.LostSession;
import im.zonda.link.SessionEnd;
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
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A session that two streams recover after the loss of its home: the client has left the first one
/// without an end, and has resumed on the second one.
final class RecoveredSessionTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");
  private static final Jid PHONE = Jid.of("juliet@example.org/phone");
  private static final Jid OCCUPANT = Jid.of("hall@rooms.example.org/romeo");
  private static final Jid ROMEO = Jid.of("romeo@example.org/orchard");
  private static final ToStream CONFLICT =
      new ToStream.Close(StreamErrorCondition.CONFLICT, "resumed by a new connection");

  /// How long the other streams of a client may take.
  private static final Duration OTHERS = Duration.ofSeconds(3);

  /// How long sessions may still be recovered, in ms.
  private long awaited;

  /// What a stream's client has been sent and has not acknowledged.
  private List<String> sent = List.of();

  /// The parts of homes of which other nodes have copies.
  private final Set<Object> copied = ConcurrentHashMap.newKeySet();

  private RunningRouter running = new RunningRouter(limits -> limits, new Copying());
  private final RecordingStream first = new RecordingStream();
  private final RecordingStream second = new RecordingStream();

  /// A standby that has each copy at once.
  private final class Copying implements Replication {
    @Override
    public boolean hasStandby(Jid home) {
      return false;
    }

    @Override
    public long awaitsSessions(Jid home) {
      return awaited;
    }

    @Override
    public void copy(
        Jid home, Map<String, byte @Nullable []> parts, @Nullable ReplicaListener listener) {
      noteCopy(parts, listener);
    }
  }

  private void noteCopy(Map<String, byte @Nullable []> parts, @Nullable ReplicaListener listener) {
    parts.forEach((key, state) -> {
      if (state == null) {
        copied.remove(key);
      } else {
        copied.add(key);
      }
    });
    if (listener != null) {
      listener.confirmed(true);
    }
  }

  @BeforeEach
  void createAccount() {
    running.createAccount(JULIET.bare());
  }

  @AfterEach
  void stop() {
    running.close();
  }

  /// @param resumed how many times the client had resumed it
  /// @param handled how many stanzas of the client were handled
  private SessionEnd rebuild(RecordingStream stream, int resumed, long handled) {
    return rebuild(stream, resumed, handled, 0);
  }

  /// @param read up to which entry of the log the client has what it was sent
  private SessionEnd rebuild(RecordingStream stream, int resumed, long handled, long read) {
    Presence presence = Presence.of(Presence.Type.AVAILABLE, JULIET, null, null, List.of());
    KeptState state =
        new KeptState(
            new SessionSnapshot.State(
                JULIET, StreamManagementState.hash("id"), resumed, presence, Map.of()),
            read);
    SessionEnd link = running.router.sessions().open(stream);
    link.receive(
        new ToSession.Recover(
            new LostSession(
                JULIET,
                state.write(),
                "id",
                new LostSession.Counts(handled, 0),
                Map.of(),
                sent.stream()
                    .map(text -> new LostSession.Sent(TestStanzas.message(text), Duration.ZERO))
                    .toList())));
    running.awaitIdle();
    return link;
  }

  /// The client itself resumes it.
  private void resume(RecordingStream stream) {
    resume(stream, new ToSession.Resume(JULIET.bare(), "id", 0));
  }

  private void resume(RecordingStream stream, long resumptions) {
    resume(stream, resumptions, 0);
  }

  private void resume(RecordingStream stream, long resumptions, long delivered) {
    SessionVersion version = new SessionVersion(resumptions, delivered, 0);
    resume(stream, new ToSession.Resume(JULIET.bare(), "id", 0, false, version));
  }

  private void resume(RecordingStream stream, ToSession.Resume resume) {
    running.router.sessions().open(stream).receive(resume);
    running.awaitIdle();
  }

  private void send(String text) {
    running
        .router
        .routes()
        .route(
            new Envelope(
                TestStanzas.message(text).withAddresses(ROMEO, JULIET.bare()), Origin.NONE, null));
    running.awaitIdle();
  }

  @Test
  void isThatOfTheStreamThatTheClientHasResumedOn() {
    rebuild(first, 0, 690);
    send("meanwhile");
    rebuild(second, 1, 691);
    send("afterwards");
    assertThat(first.values()).contains(new ToStream.Resumed(JULIET, 690, 0)).endsWith(CONFLICT);
    assertThat(second.values()).startsWith(new ToStream.Resumed(JULIET, 691, 0, 1));
    assertThat(second.texts()).containsExactly("meanwhile", "afterwards");
    assertThat(running.router.sessions().all()).hasSize(1);
  }

  @Test
  void isNotTakenByTheStreamThatTheClientHasLeft() {
    rebuild(second, 1, 691);
    rebuild(first, 0, 690);
    send("afterwards");
    assertThat(first.values()).containsExactly(CONFLICT);
    assertThat(second.texts()).containsExactly("afterwards");
  }

  /// What the left stream still brings does not concern the session that has replaced its own.
  @Test
  void isNotEndedByTheStreamThatTheClientHasLeft() {
    SessionEnd left = rebuild(first, 0, 690);
    rebuild(second, 1, 691);
    left.receive(new ToSession.Lost());
    left.outputEnded();
    send("afterwards");
    running.advance(Duration.ofHours(1));
    running.awaitIdle();
    assertThat(second.texts()).containsExactly("afterwards");
    assertThat(running.at(JULIET)).isNotNull();
  }

  @Test
  void isContinuedByAStreamThatKnowsNoLess() {
    rebuild(first, 1, 690);
    rebuild(second, 1, 690);
    assertThat(second.values()).startsWith(new ToStream.Resumed(JULIET, 690, 0, 1));
    assertThat(first.values()).endsWith(CONFLICT);
    assertThat(running.router.sessions().all()).hasSize(1);
  }

  /// A client's resumption on another stream counts, also if the session was recovered.
  @Test
  void isNewerAfterEachResumption() {
    rebuild(first, 1, 690);
    running.advance(OTHERS);
    resume(second);
    rebuild(first, 1, 690);
    resume(first, 1);
    assertThat(first.values()).filteredOn(CONFLICT::equals).hasSize(3);
    assertThat(second.values())
        .doesNotContain(CONFLICT)
        .contains(new ToStream.Resumed(JULIET, 690, 0, 2));
  }

  /// A stream that has not recovered it yet may have a newer snapshot.
  @Test
  void isNotResumedByTheClientAtOnce() {
    rebuild(first, 0, 690);
    isNotResumedBefore(OTHERS);
  }

  /// Its home lived until all streams had lost it, and had ended the one that the client had left.
  @Test
  void isResumedByTheClientAtOnceIfThereIsNoCluster() {
    running.close();
    running = new RunningRouter(limits -> limits);
    createAccount();
    rebuild(first, 0, 690);
    resume(second);
    assertThat(second.values()).containsExactly(new ToStream.Resumed(JULIET, 690, 0, 1));
  }

  private void isNotResumedBefore(Duration time) {
    running.advance(time.minusMillis(1));
    resume(second);
    assertThat(second.values()).containsExactly(new ToStream.Unsettled());
    running.advance(Duration.ofMillis(1));
    resume(second);
    assertThat(second.values()).endsWith(new ToStream.Resumed(JULIET, 690, 0, 1));
  }

  /// The stream that has been told more looks for it there, too.
  @Test
  void isNotResumedByTheClientAtOnceWhereItHasMovedToSinceItsHomeWasLost() {
    move(running.instant().minusSeconds(5));
    isNotResumedBefore(OTHERS);
  }

  @Test
  void isResumedByTheClientAtOnceIfItsHomeWasLostLongAgo() {
    move(running.instant().minusSeconds(600));
    resume(second);
    assertThat(second.values()).containsExactly(new ToStream.Resumed(JULIET, 690, 0, 1));
  }

  /// Moves the session here from another home, which had recovered it.
  ///
  /// @param since when the one before that may have handled what that did not know of
  private void move(Instant since) {
    SessionSnapshot moving =
        TestSnapshot.of(JULIET, StreamManagementState.hash("id"), running.instant().plusSeconds(60))
            .handled(690)
            .moving(
                690,
                Set.of(),
                new SessionSnapshot.Certainty(
                    OptionalLong.empty(), OptionalLong.of(since.toEpochMilli())));
    running.router.sessions().restore(moving);
    running.router.sessions().opened();
    running.awaitIdle();
  }

  /// The ids of the node that has died may have been ahead of those of this one.
  @Test
  void getsWhatItsHomeHasAppendedBefore() {
    send("meanwhile");
    rebuild(first, 0, 690, running.log().nextId() + 1_000_000);
    send("afterwards");
    assertThat(first.texts()).containsExactly("meanwhile", "afterwards");
  }

  /// Its home must not be loaded once more: it would take that for something of former homes.
  @Test
  void getsWhatItsHomeHasAppendedBeforeASweep() {
    Member other = new Member("b", 1);
    running.router.recovery().formerHomes().placed(Set.of(other));
    running.router.recovery().formerHomes().placed(Set.of());
    send("meanwhile");
    running.router.sweep();
    rebuild(first, 0, 690, running.log().nextId() + 1_000_000);
    assertThat(first.texts()).containsExactly("meanwhile");
  }

  /// The home that was lost had given it to the stream, although the log does not say so.
  @Test
  void getsNothingThatItsStreamHasBeenGiven() {
    send("before");
    running.router.sweep();
    assertThat(running.router.loadedAccounts()).isZero();
    rebuild(first, 0, 690, running.log().nextId());
    send("afterwards");
    assertThat(first.texts()).containsExactly("afterwards");
  }

  /// The home that was lost may not have recorded that the client has it. Or it was for another
  /// session.
  @Test
  void leavesToNewSessionsWhatStillWaitsInTheLog() {
    send("before");
    running.router.sweep();
    rebuild(first, 0, 690, running.log().nextId());
    running.becomeAvailable(PHONE, running.bind(PHONE, second));
    assertThat(first.texts()).isEmpty();
    assertThat(second.texts()).containsExactly("before");
  }

  /// Copies of the one that it replaces would be resumed at the next loss of a node.
  @Test
  void leavesNoCopiesOfTheOneThatItReplaces() {
    SessionEnd left = rebuild(first, 0, 690);
    left.receive(new ToSession.Lost());
    running.awaitIdle();
    running.router.recovery().replication().replicateChanges();
    running.awaitIdle();
    assertThat(copied).isNotEmpty();
    rebuild(second, 1, 691);
    assertThat(copied).containsExactly(StreamManagementState.hash("id") + "#resumed");
  }

  /// The stream discards stanzas with numbers that its client has received.
  @Test
  void isNotResumedByAStreamThatHasBeenSentMore() {
    rebuild(first, 0, 690);
    send("one");
    resume(second, 0, 2);
    assertThat(second.values()).containsExactly(new ToStream.SessionNotFound(null));
    resume(second, 0, 1);
    assertThat(second.values()).contains(new ToStream.Resumed(JULIET, 690, 0, 0));
  }

  @Test
  void isReplacedIfItsStreamHasBeenSentMore() {
    rebuild(first, 0, 690);
    sent = List.of("one", "two");
    rebuild(second, 0, 690);
    send("three");
    assertThat(first.values()).endsWith(CONFLICT);
    assertThat(second.texts()).containsExactly("one", "two", "three");
    assertThat(running.router.sessions().all()).hasSize(1);
  }

  /// It asks to recover the session then.
  @Test
  void isNotResumedByAStreamThatKnowsMore() {
    rebuild(first, 0, 690);
    resume(second, 1);
    assertThat(second.values()).containsExactly(new ToStream.SessionNotFound(null));
    assertThat(first.values()).doesNotContain(CONFLICT);
  }

  private void sendToBoth(String text) {
    Envelope envelope =
        new Envelope(
            TestStanzas.of("<message><body>" + text + "</body></message>")
                .withAddresses(OCCUPANT, JULIET),
            Origin.NONE,
            ROMEO);
    running.router.routes().route(envelope.withSessions(List.of(PHONE, JULIET)));
    running.awaitIdle();
  }

  /// A room has sent a private message to it and to another session that is not recovered.
  @Test
  void getsWhatWasForItAndAnother() {
    awaited = 1_000;
    List<Envelope> room = new ArrayList<>();
    running.router.routes().add(Jid.of("rooms.example.org"), room::add);
    sendToBoth("one");
    assertThat(room).isEmpty();
    rebuild(first, 0, 690);
    assertThat(first.texts()).containsExactly("one");
    assertThat(first.stanzas().getFirst().to()).isEqualTo(JULIET);
    assertThat(room).extracting(error -> error.stanza().from()).containsExactly(PHONE);
    assertThat(room).extracting(Envelope::author).containsExactly((Jid) null);
    sendToBoth("two");
    assertThat(first.texts()).containsExactly("one", "two");
    assertThat(running.log().waitingCount(JULIET.bare())).isEqualTo(2);
  }

  /// A new session has the address of the other one.
  @Test
  void getsWhatWasForItAndAnotherThatIsReplaced() {
    awaited = 1_000;
    List<Envelope> room = new ArrayList<>();
    running.router.routes().add(Jid.of("rooms.example.org"), room::add);
    sendToBoth("one");
    running.bind(PHONE, second);
    running.awaitIdle();
    assertThat(room).extracting(error -> error.stanza().from()).containsExactly(PHONE);
    assertThat(room).extracting(Envelope::author).containsExactly((Jid) null);
    rebuild(first, 0, 690);
    assertThat(first.texts()).containsExactly("one");
    assertThat(second.texts()).isEmpty();
    assertThat(room).hasSize(1);
  }
}
