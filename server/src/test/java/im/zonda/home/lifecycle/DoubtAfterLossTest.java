package im.zonda.home.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.config.ServerConfig;
import im.zonda.home.recovery.FormerNodes;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.home.session.StreamManagementState;
import im.zonda.home.session.TestSnapshot;
import im.zonda.jid.Jid;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Since when the former home of a recovered session may have handled stanzas that the replica does
/// not count: the log is searched from then on when the client sends them again.
final class DoubtAfterLossTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");
  private static final Member HERE = new Member("a", 1);
  private static final Member THERE = new Member("b", 1);

  private final RunningRouter running = RunningRouter.inCluster();
  private final Duration resumeTime =
      ServerConfig.defaults(List.of("example.org"), Path.of("unused")).limits().resumeTime();

  @BeforeEach
  void beginWithTwoNodes() {
    running.createAccount(JULIET.bare());
    running.router.recovery().formerHomes().placed(Set.of(HERE, THERE));
  }

  @AfterEach
  void stop() {
    running.close();
  }

  private void lose() {
    running.router.recovery().formerHomes().placed(Set.of(HERE));
  }

  /// The replica of a session as of that time.
  private SessionSnapshot copied(Instant then, OptionalLong possiblyHandledSince) {
    Instant until = then.plus(resumeTime);
    // It had a stream, so its time begins now.
    return TestSnapshot.of(JULIET, "hash", until)
        .handled(7)
        .replica(new SessionSnapshot.Certainty(OptionalLong.of(0), possiblyHandledSince));
  }

  private Instant possiblyHandledSince(SessionSnapshot copy) {
    running.router.sessions().restore(copy);
    running.router.sessions().opened();
    running.awaitIdle();
    StreamManagementState management =
        Objects.requireNonNull(Objects.requireNonNull(running.at(JULIET)).management());
    return Instant.ofEpochMilli(management.possiblyHandledSince().orElseThrow());
  }

  private static Instant twoMinutesBefore(Instant time) {
    return time.minus(FormerNodes.UNHANDLED);
  }

  /// Its home has told of all that it has done meanwhile.
  @Test
  void isSinceTheLossIfTheSessionHadBeenIdleForHours() {
    Instant copied = running.instant();
    running.advance(Duration.ofHours(3));
    lose();
    assertThat(possiblyHandledSince(copied(copied, OptionalLong.empty())))
        .isEqualTo(twoMinutesBefore(running.instant()));
  }

  /// The others could not go on before, because the database was away, too.
  @Test
  void isSinceTheNodeWasMissed() {
    Instant copied = running.instant();
    running.advance(Duration.ofHours(3));
    Instant missed = running.instant();
    running.router.recovery().formerHomes().memberMissed();
    running.advance(Duration.ofMinutes(9));
    running.router.recovery().formerHomes().memberMissed();
    lose();
    assertThat(possiblyHandledSince(copied(copied, OptionalLong.empty())))
        .isEqualTo(twoMinutesBefore(missed));
  }

  @Test
  void isNotSinceAnotherNodeWasMissedThatHasComeBack() {
    running.router.recovery().formerHomes().memberMissed();
    running.router.recovery().formerHomes().placed(Set.of(HERE, THERE));
    running.advance(Duration.ofHours(3));
    lose();
    assertThat(possiblyHandledSince(copied(running.instant(), OptionalLong.empty())))
        .isEqualTo(twoMinutesBefore(running.instant()));
  }

  /// The home before that one had died, too, and the client has not come back since.
  @Test
  void isSinceAnEarlierLoss() {
    Instant earlier = running.instant();
    running.advance(Duration.ofMinutes(9));
    lose();
    assertThat(
            possiblyHandledSince(
                copied(running.instant(), OptionalLong.of(earlier.toEpochMilli()))))
        .isEqualTo(earlier);
  }

  /// Its home lives, but could not take its leave.
  @Test
  void isSinceTheCopyIfNoNodeWasLost() {
    lose();
    running.advance(Duration.ofHours(3));
    Instant copied = running.instant();
    running.advance(Duration.ofMinutes(1));
    assertThat(possiblyHandledSince(copied(copied, OptionalLong.empty())))
        .isEqualTo(twoMinutesBefore(copied));
  }
}
