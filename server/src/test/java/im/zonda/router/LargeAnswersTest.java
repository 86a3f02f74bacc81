package im.zonda.router;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import org.junit.jupiter.api.Test;

final class LargeAnswersTest {
  private static final int SIZE = 100_000;
  private static final Jid HOG = Jid.of("hog@example.org");
  private static final Jid JULIET = Jid.of("juliet@example.org");

  private final LargeAnswers answers = new LargeAnswers(10 * SIZE);

  @Test
  void whoHasAskedForMuchPaysAndNobodyElse() {
    for (int i = 0; i < 10; i++) {
      assertThat(answers.take(HOG, SIZE)).isTrue();
    }
    assertThat(answers.take(HOG, SIZE)).isFalse();
    assertThat(answers.take(JULIET, SIZE)).isTrue();
    assertThat(answers.take(HOG, LargeAnswers.LEAST - 1)).isTrue();
    answers.give(HOG, SIZE);
    answers.give(HOG, SIZE);
    assertThat(answers.take(HOG, SIZE)).isTrue();
  }

  @Test
  void nothingIsKeptOfAccountsForWhichNothingWaits() {
    answers.take(HOG, SIZE);
    answers.take(HOG, SIZE);
    answers.give(HOG, SIZE);
    assertThat(answers.accounts()).isEqualTo(1);
    answers.give(HOG, SIZE);
    assertThat(answers.accounts()).isZero();
  }
}
