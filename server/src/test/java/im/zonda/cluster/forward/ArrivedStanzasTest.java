package im.zonda.cluster.forward;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.cluster.forward.ArrivedStanzas.Arrival;
import im.zonda.cluster.frame.NodeValue;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Stanzas that a source repeats after the segment of their home has moved.
class ArrivedStanzasTest {
  private static final int SEGMENT = 3;
  private static final Member FORMER = new Member("former", 1);
  private static final Member HOME = new Member("home", 1);
  private static final Member NEXT = new Member("next", 1);
  private static final List<Member> ALL = List.of(FORMER, HOME, NEXT);
  private static final List<Member> WITHOUT_FORMER = List.of(HOME, NEXT);

  private final ArrivedStanzas former = new ArrivedStanzas();
  private final ArrivedStanzas home = new ArrivedStanzas();

  private static void move(Member from, ArrivedStanzas before, ArrivedStanzas next) {
    for (NodeValue.AlreadyHandled each : before.takenIn(SEGMENT)) {
      next.takenBy(from, each);
    }
  }

  private Arrival take(ArrivedStanzas by, List<Member> members) {
    return by.take("source", 7, SEGMENT, members);
  }

  @Test
  void aStanzaIsAcceptedOnce() {
    assertThat(take(home, ALL)).isEqualTo(Arrival.NEW);
    assertThat(take(home, ALL)).isEqualTo(Arrival.PENDING);
    home.handled("source", 7);
    assertThat(take(home, ALL)).isEqualTo(Arrival.HANDLED);
  }

  @Test
  void theFormerHomeConfirmsAStanzaThatItIsBusyWith() {
    take(former, ALL);
    move(FORMER, former, home);
    assertThat(take(home, ALL)).isEqualTo(Arrival.PENDING);
  }

  /// Otherwise it would be confirmed, and no home would handle it.
  @Test
  void aStanzaThatIsLostWithTheFormerHomeIsAccepted() {
    take(former, ALL);
    move(FORMER, former, home);
    assertThat(take(home, WITHOUT_FORMER)).isEqualTo(Arrival.NEW);
    assertThat(take(home, WITHOUT_FORMER)).isEqualTo(Arrival.PENDING);
  }

  @Test
  void aStanzaThatTheFormerHomeHasHandledIsNotAcceptedAgain() {
    take(former, ALL);
    former.handled("source", 7);
    move(FORMER, former, home);
    assertThat(take(home, ALL)).isEqualTo(Arrival.HANDLED);
    assertThat(take(home, WITHOUT_FORMER)).isEqualTo(Arrival.HANDLED);
  }

  @Test
  void aStanzaOfAnEarlierHomeIsReportedOn() {
    ArrivedStanzas next = new ArrivedStanzas();
    take(former, ALL);
    former.take("source", 8, SEGMENT, ALL);
    former.handled("source", 8);
    move(FORMER, former, home);
    move(HOME, home, next);
    assertThat(take(next, ALL)).isEqualTo(Arrival.PENDING);
    assertThat(take(next, WITHOUT_FORMER)).isEqualTo(Arrival.NEW);
    assertThat(next.take("source", 8, SEGMENT, WITHOUT_FORMER)).isEqualTo(Arrival.HANDLED);
  }
}
