package im.zonda.home.lifecycle.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.replica.ReplicaListener;
import im.zonda.cluster.replica.Replication;
import im.zonda.home.lifecycle.RecordingStream;
import im.zonda.home.lifecycle.RunningRouter;
import im.zonda.home.lifecycle.TestStanzas;
import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.link.keeper.KeeperSettings;
import im.zonda.link.keeper.KeptBytes;
import im.zonda.link.keeper.SessionKeeper;
import im.zonda.link.keeper.SessionWire;
import im.zonda.stanza.StreamErrorCondition;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A client leaves a stream without an end and resumes its session on another one; then the home is
/// lost. The keepers of both streams have a snapshot of the session, and come to the next home at
/// any time and in any order.
final class LeftStreamTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");
  private static final ToStream CONFLICT =
      new ToStream.Close(StreamErrorCondition.CONFLICT, "resumed by a new connection");

  /// After this number of ticks, replicas that are missing have begun, and those that are not
  /// needed have ended.
  private static final int TICKS = 25;

  /// The parts of the home that its standby has.
  private final Map<String, byte[]> standby = new ConcurrentHashMap<>();

  private final Queue<ReplicaListener> unconfirmed = new ConcurrentLinkedQueue<>();
  private volatile boolean confirms = true;
  private volatile boolean hasStandby = true;
  private RunningRouter home = new RunningRouter(limits -> limits, new Confirming());
  private final Stream left = new Stream();
  private final Stream current = new Stream();

  /// A standby that has each part at once.
  private final class Confirming implements Replication {
    @Override
    public boolean hasStandby(Jid home) {
      return hasStandby;
    }

    @Override
    public void copy(
        Jid home, Map<String, byte @Nullable []> parts, @Nullable ReplicaListener listener) {
      parts.forEach((key, state) -> {
        if (state == null) {
          standby.remove(key);
        } else {
          standby.put(key, state);
        }
      });
      if (listener != null) {
        unconfirmed.add(listener);
      }
      if (confirms) {
        confirm();
      }
    }
  }

  private void confirm() {
    for (ReplicaListener each = unconfirmed.poll(); each != null; each = unconfirmed.poll()) {
      each.confirmed(true);
    }
  }

  /// A client's stream at another node, with its keeper.
  private final class Stream extends RecordingStream {
    final SessionKeeper keeper =
        new SessionKeeper(
            new KeeperSettings(
                Duration.ofMinutes(1), new KeptBytes(1 << 20), () -> home.instant().toEpochMilli()),
            this::find);

    private boolean hears = true;
    private @Nullable Wire wire;
    private long sent;

    Stream() {
      keeper.stream(() -> this);
    }

    private @Nullable SessionWire find() {
      return hears ? new Wire(this) : null;
    }

    void send() {
      keeper.receive(new ToSession.Received(TestStanzas.of("<presence/>"), ++sent));
      home.awaitIdle();
    }

    void resume(String id) {
      keeper.receive(new ToSession.Resume(JULIET.bare(), id, 0));
      home.awaitIdle();
      sent = handled();
    }

    /// The home's node is lost, and the keeper does not know another one.
    void lose() {
      hears = false;
      keeper.lost(Objects.requireNonNull(wire), true);
    }

    /// The keeper asks the next home.
    void goOn() {
      hears = true;
      keeper.update(true);
      home.awaitIdle();
    }
  }

  private final class Wire implements SessionWire, StreamEnd {
    private final Stream stream;
    private final RunningRouter at = home;
    private final SessionEnd session = at.router.sessions().open(this);

    Wire(Stream stream) {
      this.stream = stream;
      stream.wire = this;
    }

    @Override
    public void send(ToSession value) {
      session.receive(value);
    }

    @Override
    public void receive(ToStream value) {
      if (at == home) {
        stream.keeper.receive(value, this);
      }
    }

    @Override
    public boolean keepsState() {
      return true;
    }
  }

  @AfterEach
  void stop() {
    home.close();
  }

  /// The client has been told of one stanza on the stream that it has left, and of three on the
  /// other one. The home's node dies before the left stream is ended.
  private String begin() {
    home.createAccount(JULIET.bare());
    String id = bind(left);
    left.send();
    assertThat(left.handled()).isEqualTo(1);
    left.lose();
    current.resume(id);
    current.send();
    current.send();
    assertThat(current.handled()).isEqualTo(3);
    current.lose();
    return id;
  }

  /// Binds a session, and returns by what it can be resumed.
  private String bind(Stream stream) {
    stream.keeper.receive(new ToSession.Bind(JULIET.bare(), JULIET.resource(), null));
    home.awaitIdle();
    stream.keeper.receive(new ToSession.Enable(true));
    home.awaitIdle();
    return stream.values().stream()
        .filter(ToStream.Enabled.class::isInstance)
        .map(value -> Objects.requireNonNull(((ToStream.Enabled) value).id()))
        .findFirst()
        .orElseThrow();
  }

  /// The standby has the homes of the lost node.
  private void takeOver() {
    home.close();
    home = new RunningRouter(limits -> limits, new Confirming());
    home.createAccount(JULIET.bare());
    home.router.recovery().formerHomes().restoreNumbers(JULIET.bare(), standby);
  }

  private void tick() {
    home.router.recovery().replication().replicateChanges();
    home.awaitIdle();
  }

  private void passTicks() {
    for (int i = 0; i < TICKS; i++) {
      tick();
    }
  }

  private Stream resumed(String id) {
    Stream third = new Stream();
    third.resume(id);
    return third;
  }

  private static boolean isResumed(Stream stream) {
    return stream.values().stream().anyMatch(ToStream.Resumed.class::isInstance);
  }

  /// Not even if the node of the other stream stands still for long.
  @Test
  void theClientIsNotToldLessBySessionsOfStreamsThatItHasLeft() {
    String id = begin();
    takeOver();
    left.goOn();
    assertThat(left.values()).endsWith(CONFLICT);
    home.advance(Duration.ofSeconds(30));
    assertThat(isResumed(resumed(id))).isFalse();
    current.goOn();
    assertThat(resumed(id).handled()).isEqualTo(3);
  }

  /// No time passes.
  @Test
  void theSessionOfItsStreamIsTheClientsAtOnce() {
    String id = begin();
    takeOver();
    current.goOn();
    assertThat(resumed(id).handled()).isEqualTo(3);
    assertThat(current.values()).endsWith(CONFLICT);
  }

  /// Nor does a keeper bring back what has ended meanwhile.
  @Test
  void aLeftStreamIsEndedAfterTheSession() {
    begin();
    takeOver();
    current.goOn();
    current.keeper.receive(new ToSession.Ended());
    home.awaitIdle();
    assertThat(home.at(JULIET)).isNull();
    left.goOn();
    assertThat(left.values()).endsWith(CONFLICT);
    assertThat(home.at(JULIET)).isNull();
  }

  /// From the next home that dies the one after it has it.
  @Test
  void theNumberIsReplicatedAgainWithTheRecoveredSession() {
    String id = begin();
    takeOver();
    current.goOn();
    current.lose();
    takeOver();
    left.goOn();
    assertThat(left.values()).endsWith(CONFLICT);
    current.goOn();
    assertThat(resumed(id).handled()).isEqualTo(3);
  }

  @Test
  void theNumberMovesOnIfNoStreamHasCome() {
    String id = begin();
    takeOver();
    Map<Jid, Map<String, byte[]>> moving =
        home.router.recovery().formerHomes().takeNumbers(JULIET.bare()::equals);
    standby.clear();
    standby.putAll(moving.getOrDefault(JULIET.bare(), Map.of()));
    takeOver();
    left.goOn();
    assertThat(left.values()).endsWith(CONFLICT);
    current.goOn();
    assertThat(resumed(id).handled()).isEqualTo(3);
  }

  /// If the home dies before, an earlier session may be recovered.
  @Test
  void theClientIsNotToldOfAResumptionThatTheStandbyDoesNotKnow() {
    home.createAccount(JULIET.bare());
    String id = bind(left);
    confirms = false;
    current.resume(id);
    assertThat(isResumed(current)).isFalse();
    Stream third = resumed(id); // the client has lost patience
    confirm();
    home.awaitIdle();
    assertThat(isResumed(current)).isFalse();
    assertThat(isResumed(third)).isTrue();
    assertThat(standby.values()).singleElement().isEqualTo(new byte[] {0, 0, 0, 0, 0, 0, 0, 2});
  }

  @Test
  void aSessionWithOneStreamNeedsNoNumber() {
    home.createAccount(JULIET.bare());
    bind(left);
    passTicks();
    assertThat(standby).isEmpty();
    left.lose();
    takeOver();
    left.goOn();
    left.send();
    assertThat(left.handled()).isEqualTo(1);
    passTicks();
    assertThat(standby).isEmpty();
  }

  @Test
  void theNumberEndsWithTheSession() {
    String id = begin();
    takeOver();
    current.goOn();
    Stream third = resumed(id);
    assertThat(standby).hasSize(1);
    third.keeper.receive(new ToSession.Ended());
    home.awaitIdle();
    assertThat(standby).isEmpty();
  }

  @Test
  void theNumberEndsWhenNoClientCanResumeTheSession() {
    begin();
    takeOver();
    home.advance(Duration.ofHours(1));
    passTicks();
    assertThat(standby).isEmpty();
  }

  /// As long as the session is here, it is its own.
  @Test
  void theNumberOfARecoveredSessionDoesNotEndBefore() {
    begin();
    takeOver();
    current.goOn();
    home.advance(Duration.ofHours(1));
    passTicks();
    assertThat(standby).hasSize(1);
  }

  @Test
  void aSessionWithoutAStreamIsReplicatedInPlaceOfTheNumber() {
    home.createAccount(JULIET.bare());
    String id = bind(left);
    current.resume(id);
    String number = standby.keySet().iterator().next();
    current.keeper.receive(new ToSession.Lost());
    home.awaitIdle();
    tick();
    assertThat(standby).hasSize(1).doesNotContainKey(number);
    assertThat(isResumed(resumed(id))).isTrue();
    assertThat(standby).containsOnlyKeys(number);
  }

  @Test
  void aStandbyThatComesLaterGetsTheNumber() {
    home.createAccount(JULIET.bare());
    hasStandby = false;
    String id = bind(left);
    current.resume(id);
    assertThat(isResumed(current)).isTrue();
    assertThat(standby).isEmpty();
    hasStandby = true;
    passTicks();
    assertThat(standby).hasSize(1);
  }

  /// The home of a version before replicates no numbers.
  @Test
  void withoutANumberTheOtherStreamsAreWaitedForForSomeSeconds() {
    String id = begin();
    standby.clear();
    takeOver();
    left.goOn();
    assertThat(isResumed(resumed(id))).isFalse();
    current.goOn();
    home.advance(Duration.ofSeconds(3));
    assertThat(resumed(id).handled()).isEqualTo(3);
  }

  @Test
  void aNumberThatCannotBeReadIsNotKnown() {
    begin();
    standby.replaceAll((_, _) -> new byte[1]);
    takeOver();
    left.goOn();
    assertThat(left.values()).doesNotContain(CONFLICT);
    current.goOn();
    assertThat(left.values()).endsWith(CONFLICT);
    assertThat(standby.values()).allMatch(part -> part.length == Long.BYTES);
  }
}
