package im.zonda.cluster.forward;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.cluster.forward.ResentStanzas.Question;
import im.zonda.cluster.forward.ResentStanzas.Waiting;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.RoutedStanza;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.frame.StanzaSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ResentStanzasTest {
  private static final Member FIRST = new Member("first", 1);
  private static final Member SECOND = new Member("second", 1);
  private static final Member THIRD = new Member("third", 1);
  private static final String ROOM = "coven@rooms.example.org";
  private static final String USER = "juliet@example.org";

  private final ResentStanzas resent = new ResentStanzas();

  /// @param origin what the log is asked for; 0 if it has not to be asked
  private static Waiting stanza(Member from, String owner, long origin) {
    NodeValue.Route route =
        new NodeValue.Route(
            origin,
            owner,
            new RoutedStanza(
                new StanzaSource(from.toString(), origin), true, new StanzaBytes(new byte[0])),
            origin,
            origin == 0 ? 0 : 100 + origin);
    return new Waiting(from, route, origin, owner.equals(ROOM));
  }

  @Test
  void whatComesBehindOneThatWaitsIsForTheSameHomeOrOfTheSameSource() {
    resent.add(stanza(FIRST, ROOM, 1));
    assertThat(resent.isBehind(FIRST, USER)).isTrue();
    assertThat(resent.isBehind(SECOND, ROOM)).isTrue();
    assertThat(resent.isBehind(SECOND, USER)).isFalse();
    Question question = Objects.requireNonNull(resent.ask());
    assertThat(resent.answered(question)).hasSize(1);
    assertThat(resent.isBehind(FIRST, ROOM)).isFalse();
    resent.add(stanza(FIRST, ROOM, 2));
    assertThat(resent.clear()).hasSize(1);
    assertThat(resent.isBehind(FIRST, ROOM)).isFalse();
  }

  @Test
  void theLogIsAskedForAllThatHaveComeAndAnswersTheseAlone() {
    Waiting first = stanza(FIRST, USER, 1);
    Waiting behind = stanza(FIRST, USER, 0);
    Waiting late = stanza(SECOND, USER, 2);
    List.of(first, behind).forEach(resent::add);
    Question question = Objects.requireNonNull(resent.ask());
    assertThat(question.origins()).isEqualTo(Set.of(1L));
    assertThat(question.age()).isEqualTo(Duration.ofMillis(101));
    resent.add(late);
    assertThat(resent.ask()).isNull();
    assertThat(resent.unasked()).isEmpty();
    assertThat(resent.answered(question)).containsExactly(first, behind);
    assertThat(Objects.requireNonNull(resent.ask()).origins()).isEqualTo(Set.of(2L));
  }

  @Test
  void whatNeedNotWaitIsRemovedUnlessTheLogIsBeingAsked() {
    Waiting first = stanza(FIRST, USER, 1);
    Waiting needless = stanza(SECOND, ROOM, 2);
    List.of(first, needless).forEach(resent::add);
    Question question = Objects.requireNonNull(resent.ask());
    assertThat(resent.removeIf(needless::equals)).isEmpty();
    resent.failed(question);
    assertThat(resent.removeIf(needless::equals)).containsExactly(needless);
    assertThat(resent.isBehind(SECOND, ROOM)).isFalse();
    assertThat(resent.isBehind(FIRST, USER)).isTrue();
    assertThat(Objects.requireNonNull(resent.ask()).origins()).isEqualTo(Set.of(1L));
  }

  @Test
  void aRoomSendsAgainWhatItHasStoredInItsOrderAndBeforeAllElse() {
    Waiting other = stanza(FIRST, USER, 1);
    Waiting isNew = stanza(FIRST, ROOM, 2);
    Waiting last = stanza(FIRST, ROOM, 3);
    Waiting first = stanza(SECOND, ROOM, 4);
    Waiting middle = stanza(THIRD, ROOM, 5);
    Map<Long, Long> ids = Map.of(1L, 70L, 3L, 30L, 4L, 10L, 5L, 20L);
    assertThat(ResentStanzas.inOrderOfRooms(List.of(other, isNew, last, first, middle), ids))
        .containsExactly(other, first, middle, last, isNew);
    assertThat(ResentStanzas.inOrderOfRooms(List.of(other, isNew), ids))
        .containsExactly(other, isNew);
  }
}
