package im.zonda.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Plants each fault that the checker must find.
class HistoryTest {
  private final History history = new History();

  @BeforeEach
  void threeMessagesSentAndPromised() {
    for (int i = 1; i <= 3; i++) {
      history.sent(key(i));
      history.promised(key(i));
    }
  }

  @Test
  void deliveryOnceAndInOrderIsClean() {
    deliver(1, 2, 3);

    assertThat(history.check().clean()).isTrue();
    assertThat(history.complete()).isTrue();
  }

  @Test
  void findsALoss() {
    deliver(1, 3);

    assertThat(history.check().lost()).containsExactly(key(2));
    assertThat(history.check().clean()).isFalse();
    assertThat(history.complete()).isFalse();
  }

  @Test
  void whatWasNotPromisedMayBeLost() {
    history.sent(key(4));
    deliver(1, 2, 3);

    assertThat(history.check().clean()).isTrue();
  }

  @Test
  void findsWhatNobodySent() {
    deliver(1, 2, 3, 9);

    assertThat(history.check().invented()).containsExactly(key(9));
    assertThat(history.check().clean()).isFalse();
  }

  @Test
  void distinguishesARepetitionFromADuplicate() {
    deliver(1, 2, 3);
    history.delivered(key(1), "id1");
    history.delivered(key(2), "another");

    assertThat(history.check().repeated()).containsExactly(key(1));
    assertThat(history.check().doubled()).containsExactly(key(2));
  }

  @Test
  void aSecondDeliveryWithoutAnIdIsADouble() {
    history.delivered(key(1), "");
    history.delivered(key(1), "");

    assertThat(history.check().doubled()).containsExactly(key(1));
  }

  @Test
  void findsAChangeOfOrder() {
    deliver(1, 3, 2);

    assertThat(history.check().reordered()).containsExactly(key(2));
    assertThat(history.check().clean()).isFalse();
  }

  @Test
  void theOrderOfDifferentSendersIsFree() {
    History.Key other = new History.Key("mercutio", "romeo", 7);
    history.sent(other);
    history.delivered(other, "x");
    deliver(1, 2, 3);

    assertThat(history.check().clean()).isTrue();
  }

  private void deliver(long... numbers) {
    for (long number : numbers) {
      history.delivered(key(number), "id" + number);
    }
  }

  private static History.Key key(long number) {
    return new History.Key("juliet", "romeo", number);
  }
}
