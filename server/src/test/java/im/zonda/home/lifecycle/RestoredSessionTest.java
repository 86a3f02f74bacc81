package im.zonda.home.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.cluster.replica.ReplicaListener;
import im.zonda.cluster.replica.Replication;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.home.session.StreamManagementState;
import im.zonda.home.session.TestSnapshot;
import im.zonda.jid.Jid;
import im.zonda.link.ToStream;
import im.zonda.module.Envelope;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Sessions that were saved when the server stopped.
final class RestoredSessionTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");
  private static final Jid GARDEN = Jid.of("juliet@example.org/garden");
  private static final Jid ROMEO = Jid.of("romeo@example.org/orchard");

  private final RunningRouter running = RunningRouter.inCluster();

  @AfterEach
  void stop() {
    running.close();
  }

  private static TestSnapshot snapshot(Jid jid, Instant until) {
    return TestSnapshot.of(jid, "hash", until)
        .handled(7)
        .sent(Instant.ofEpochSecond(5), List.of(TestStanzas.message("kept")));
  }

  private void restore(Jid jid, Instant until) {
    running.createAccount(jid.bare());
    running.router.sessions().restore(List.of(snapshot(jid, until).saved()));
    running.awaitIdle();
  }

  /// The session comes from another node that is still handling the client's last two stanzas.
  private StreamManagementState arrive() {
    running.createAccount(JULIET.bare());
    arriveWithPending();
    return Objects.requireNonNull(Objects.requireNonNull(running.at(JULIET)).management());
  }

  private void arriveWithPending() {
    SessionSnapshot moving =
        snapshot(JULIET, running.instant().plusSeconds(60))
            .moving(9, Set.of(8L, 9L), SessionSnapshot.Certainty.COMPLETE);
    running.router.sessions().restore(moving);
    running.router.sessions().opened();
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
            assertThat(saved.sent().unacknowledged())
                .extracting(SessionSnapshot.SentStanza::time)
                .containsExactly(Instant.ofEpochSecond(5)));
  }

  private void loseANode() {
    running.router.recovery().formerHomes().placed(Set.of(new Member("a", 1), new Member("b", 1)));
    running.router.recovery().formerHomes().placed(Set.of(new Member("a", 1)));
  }

  @Test
  void oneThatWasOnItsWayWhenANodeDiedIsCountedAgain() {
    loseANode();
    StreamManagementState management = arrive();
    running.pass(4);
    assertThat(management.isPendingElsewhere()).isTrue();
    running.pass(1);
    assertThat(management.isPendingElsewhere()).isFalse();
    assertThat(management.handled().handled()).isEqualTo(7);
  }

  /// The node that still handles its stanzas lives, and waits for the database.
  @Test
  void aSecondInWhichTheDatabaseDoesNotWriteBeginsTheWaitAgain() {
    loseANode();
    StreamManagementState management = arrive();
    running.pass(3);
    running.failWrites(true);
    running.pass(2);
    running.failWrites(false);
    running.pass(4);
    assertThat(management.isPendingElsewhere()).isTrue();
    running.pass(1);
    assertThat(management.isPendingElsewhere()).isFalse();
  }

  @Test
  void oneThatCannotGetToItsHomeIsCountedAgainAfterItIsThere() {
    loseANode();
    running.failLoads(true);
    running.createAccount(JULIET.bare());
    arriveWithPending();
    running.pass(10);
    running.failLoads(false);
    StreamManagementState management =
        Objects.requireNonNull(Objects.requireNonNull(running.at(JULIET)).management());
    running.pass(4);
    assertThat(management.isPendingElsewhere()).isTrue();
    running.pass(1);
    assertThat(management.isPendingElsewhere()).isFalse();
  }

  @Test
  void oneWhoseFormerNodeLivesWaitsForIt() {
    StreamManagementState management = arrive();
    running.advance(Duration.ofSeconds(30));
    running.awaitIdle();
    assertThat(management.isPendingElsewhere()).isTrue();
  }

  /// A node has died, and with it thousands of sessions, most of them idle.
  @Test
  void copiesOfIdleSessionsDoNotReadTheLog() {
    running.createAccount(JULIET.bare());
    assertThat(running.at(JULIET)).isNull();
    int before = running.reads();
    makeAgain(JULIET);
    makeAgain(GARDEN);
    assertThat(running.reads()).isEqualTo(before);
    assertThat(onTheWay(JULIET)).isZero();
  }

  @Test
  void eachCopyReadsWhatWaitedWhenItsHomeWasLoaded() {
    running.createAccount(JULIET.bare());
    route("sent to both sessions by the node that died");
    running.router.sweep();
    running.awaitIdle();
    makeAgain(JULIET);
    makeAgain(GARDEN);
    assertThat(onTheWay(JULIET)).isOne();
    assertThat(onTheWay(GARDEN)).isOne();
  }

  @Test
  void aCopyReadsWhatHasComeSinceItsHomeWasLoaded() {
    running.createAccount(JULIET.bare());
    makeAgain(JULIET);
    route("before the second session is there");
    makeAgain(GARDEN);
    assertThat(onTheWay(JULIET)).isOne();
    assertThat(onTheWay(GARDEN)).isOne();
  }

  @Test
  void oneWhoseHomeCannotBeLoadedWaits() {
    running.failLoads(true);
    arriveAt(JULIET);
    arriveAt(GARDEN);
    running.failLoads(false);
    assertThat(running.at(JULIET)).isNotNull();
    assertThat(running.at(GARDEN)).isNotNull();
  }

  @Test
  void itsHomeIsLoadedAsSoonAsItCanBe() {
    running.failLoads(true);
    arriveAt(JULIET);
    running.advance(Duration.ofSeconds(1));
    running.awaitIdle();
    running.failLoads(false);
    running.advance(Duration.ofSeconds(1));
    running.awaitIdle();
    running.failLoads(true);
    assertThat(running.at(JULIET)).isNotNull();
  }

  @Test
  void oneThatWaitsForItsHomeMovesOnAsItCame() {
    running.failLoads(true);
    SessionSnapshot moved = arriveAt(JULIET);
    List<SessionSnapshot> moving = running.router.unload(JULIET.bare()::equals, (_, _) -> {});
    assertThat(moving).containsExactly(moved);
    assertThat(running.router.sessions().all()).isEmpty();
    running.failLoads(false);
    assertThat(running.at(JULIET)).isNull();
  }

  /// A client whose session is not found would begin another one.
  @Test
  void noSessionIsDeniedWhileItsHomeCannotBeLoaded() {
    running.failLoads(true);
    running.createAccount(JULIET.bare());
    TestLink link = running.link(new RecordingStream());
    assertThat(link.resume(JULIET, "an id", 0).join()).isInstanceOf(ToStream.Unsettled.class);
  }

  /// Its stream had recovered it before it arrived.
  @Test
  void oneThatIsThereAlreadyKeepsItsCopies() {
    Queue<String> removed = new ConcurrentLinkedQueue<>();
    try (RunningRouter copying =
        new RunningRouter(limits -> limits, new Copying(removed, key -> {}))) {
      copying.createAccount(JULIET.bare());
      for (String id : List.of("itself", "itself", "another")) {
        copying
            .router
            .sessions()
            .restore(TestSnapshot.of(JULIET, id, running.instant().plusSeconds(60)).replica());
        copying.router.sessions().opened();
        copying.awaitIdle();
      }
      assertThat(copying.at(JULIET)).isNotNull();
    }
    assertThat(removed).contains("another").doesNotContain("itself");
  }

  /// No standby, but what is to be copied to it.
  ///
  /// @param removed gets the keys of copies that are removed
  /// @param copied gets the others
  private record Copying(Queue<String> removed, Consumer<String> copied) implements Replication {
    @Override
    public boolean hasStandby(Jid home) {
      return false;
    }

    @Override
    public void copy(
        Jid home, Map<String, byte @Nullable []> parts, @Nullable ReplicaListener listener) {
      parts.forEach((key, part) -> {
        if (part == null) {
          removed.add(key);
        } else {
          copied.accept(key);
        }
      });
    }
  }

  /// A node has died with thousands of sessions: the database is there for the homes that are
  /// needed, too.
  @Test
  void fewHomesAreLoadedAtATimeForTheirSessionsAlone() {
    Runnable goOn = running.holdLoads();
    List<Jid> accounts =
        IntStream.range(0, 5 * ArrivingSessions.LOADS)
            .mapToObj(i -> Jid.of("guard" + i + "@example.org/gate"))
            .toList();
    accounts.forEach(this::restoreAt);
    int alone = running.running();
    route(accounts.getLast(), "needed");
    int all = running.running();
    goOn.run();
    running.awaitIdle();
    assertThat(alone).isEqualTo(ArrivingSessions.LOADS);
    assertThat(all).isEqualTo(ArrivingSessions.LOADS + 1);
    running.failLoads(true); // they are there already
    assertThat(accounts).allSatisfy(each -> assertThat(running.at(each)).isNotNull());
  }

  /// Homes would be loaded for the copies of their sessions, all of them at once.
  @Test
  void sessionsAreCopiedWhenTheirHomesAreThere() {
    Queue<String> copied = new ConcurrentLinkedQueue<>();
    Replication replication = new Copying(new ConcurrentLinkedQueue<>(), copied::add);
    try (RunningRouter copying = new RunningRouter(limits -> limits, replication)) {
      Runnable goOn = copying.holdLoads();
      int all = 5 * ArrivingSessions.LOADS;
      IntStream.range(0, all)
          .mapToObj(i -> Jid.of("guard" + i + "@example.org/gate"))
          .forEach(each -> restoreAt(each, copying));
      copying.router.recovery().replication().replicateChanges();
      int loading = copying.running();
      goOn.run();
      copying.awaitIdle();
      copying.router.recovery().replication().replicateChanges();
      copying.awaitIdle();
      assertThat(loading).isEqualTo(ArrivingSessions.LOADS);
      assertThat(copied).hasSizeGreaterThanOrEqualTo(all);
    }
  }

  @Test
  void noSessionIsCopiedTwiceBeforeAllAreCopiedOnce() {
    Queue<String> copied = new ConcurrentLinkedQueue<>();
    Replication replication = new Copying(new ConcurrentLinkedQueue<>(), copied::add);
    int all = 600; // more than in one turn
    try (RunningRouter copying = new RunningRouter(limits -> limits, replication)) {
      Sessions sessions = copying.router.sessions();
      for (int i = 0; i < all; i++) {
        Jid jid = Jid.of("guard" + i + "@example.org/gate");
        copying.createAccount(jid.bare());
        Instant until = copying.instant().plusSeconds(60);
        sessions.restore(TestSnapshot.of(jid, "id" + i, until).saved());
      }
      sessions.opened();
      copying.awaitIdle();
      copying.router.recovery().replication().replicateChanges();
      copying.awaitIdle();
      assertThat(copied).hasSizeLessThan(all).doesNotHaveDuplicates();
      sessions.all().forEach(sessions::changed);
      copying.router.recovery().replication().replicateChanges();
      copying.awaitIdle();
      assertThat(Set.copyOf(copied)).hasSize(all);
    }
  }

  private SessionSnapshot restoreAt(Jid jid) {
    return restoreAt(jid, running);
  }

  private static SessionSnapshot restoreAt(Jid jid, RunningRouter at) {
    at.createAccount(jid.bare());
    SessionSnapshot moved = snapshot(jid, at.instant().plusSeconds(60)).saved();
    at.router.sessions().restore(moved);
    at.router.sessions().opened();
    return moved;
  }

  private SessionSnapshot arriveAt(Jid jid) {
    SessionSnapshot moved = restoreAt(jid);
    running.awaitIdle();
    return moved;
  }

  private void route(String text) {
    route(JULIET, text);
    running.awaitIdle();
  }

  private void route(Jid to, String text) {
    Stanza message = TestStanzas.message(text).withAddresses(ROMEO, to.bare());
    running.router.routes().route(Envelope.of(message));
  }

  private void makeAgain(Jid jid) {
    Presence presence = (Presence) TestStanzas.of("<presence/>");
    Instant until = running.instant().plusSeconds(60);
    SessionSnapshot replica =
        TestSnapshot.of(jid, "hash of " + jid, until).presence(presence).replica();
    running.router.sessions().restore(replica);
    running.router.sessions().opened();
    running.awaitIdle();
  }

  /// How many entries of the log the session has been sent.
  private int onTheWay(Jid jid) {
    return Objects.requireNonNull(running.at(jid)).outgoing().onTheWay().size();
  }
}
