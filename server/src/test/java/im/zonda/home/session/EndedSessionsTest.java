package im.zonda.home.session;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.link.ack.HandledCount;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class EndedSessionsTest {
  private static final int MOST = 1_024;
  private static final Jid ROMEO = Jid.of("romeo@example.org");

  private final EndedSessions ended = new EndedSessions(MOST);

  private static Jid account(int number) {
    return Jid.of("u" + number + "@example.org");
  }

  /// How many of these accounts are remembered.
  private long remembered(int from, int to) {
    return IntStream.range(from, to).filter(i -> ended.handled(account(i), "s") != null).count();
  }

  @Test
  void whatWasHandledIsRememberedForEachSession() {
    ended.add(ROMEO, "a", new HandledCount(3));
    ended.add(ROMEO, "b", new HandledCount(5));
    assertThat(ended.handled(ROMEO, "a")).isEqualTo(3);
    assertThat(ended.handled(ROMEO, "b")).isEqualTo(5);
    assertThat(ended.handled(ROMEO, "c")).isNull();
    assertThat(ended.handled(Jid.of("juliet@example.org"), "a")).isNull();
  }

  /// The stanzas that are still being handled when a session ends are counted.
  @Test
  void aCountThatGoesUpLaterIsSeen() {
    HandledCount handled = new HandledCount(0);
    ended.add(ROMEO, "a", handled);
    handled.arrived(1);
    handled.finished(1);
    assertThat(ended.handled(ROMEO, "a")).isEqualTo(1);
  }

  @Test
  void theOldestSessionOfAnAccountIsForgotten() {
    for (int i = 0; i <= EndedSessions.EACH; i++) {
      ended.add(ROMEO, "s" + i, new HandledCount(i));
    }
    assertThat(ended.handled(ROMEO, "s0")).isNull();
    for (int i = 1; i <= EndedSessions.EACH; i++) {
      assertThat(ended.handled(ROMEO, "s" + i)).isEqualTo(i);
    }
  }

  @Test
  void aHalfFullMapForgetsNone() {
    for (int i = 0; i < MOST / 2; i++) {
      ended.add(account(i), "s", new HandledCount(i));
    }
    assertThat(remembered(0, MOST / 2)).isEqualTo(MOST / 2);
  }

  @Test
  void theNumberOfAccountsIsBoundedAndTheOldestAreForgotten() {
    int all = 20 * MOST;
    for (int i = 0; i < all; i++) {
      ended.add(account(i), "s", new HandledCount(i));
    }
    assertThat(remembered(0, all)).isEqualTo(MOST);
    assertThat(remembered(0, all - 2 * MOST)).isZero();
    assertThat(remembered(all - MOST / 2, all)).isEqualTo(MOST / 2);
  }

  @Test
  void anAccountWhoseSessionsEndAllTheTimeDisplacesNobody() {
    ended.add(ROMEO, "a", new HandledCount(3));
    for (int i = 0; i < 20 * MOST; i++) {
      ended.add(account(0), "s" + i, new HandledCount(i));
    }
    assertThat(ended.handled(ROMEO, "a")).isEqualTo(3);
  }
}
