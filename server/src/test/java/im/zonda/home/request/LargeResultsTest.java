package im.zonda.home.request;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import org.junit.jupiter.api.Test;

final class LargeResultsTest {
  private static final int SIZE = 100_000;
  private static final Jid HOG = Jid.of("hog@example.org");
  private static final Jid JULIET = Jid.of("juliet@example.org");

  private final LargeResults answers = new LargeResults(10 * SIZE);

  @Test
  void whoHasAskedForMuchPaysAndNobodyElse() {
    for (int i = 0; i < 10; i++) {
      assertThat(answers.add(HOG, SIZE)).isTrue();
    }
    assertThat(answers.add(HOG, SIZE)).isFalse();
    assertThat(answers.add(JULIET, SIZE)).isTrue();
    assertThat(answers.add(HOG, LargeResults.LEAST - 1)).isTrue();
    answers.remove(HOG, SIZE);
    answers.remove(HOG, SIZE);
    assertThat(answers.add(HOG, SIZE)).isTrue();
  }

  @Test
  void nothingIsKeptOfAccountsForWhichNothingWaits() {
    answers.add(HOG, SIZE);
    answers.add(HOG, SIZE);
    answers.remove(HOG, SIZE);
    assertThat(answers.accounts()).isEqualTo(1);
    answers.remove(HOG, SIZE);
    assertThat(answers.accounts()).isZero();
  }
}
