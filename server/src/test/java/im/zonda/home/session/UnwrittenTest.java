package im.zonda.home.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnwrittenTest {
  private final Unwritten unwritten = new Unwritten();
  private final Runnable first = () -> {};
  private final Runnable second = () -> {};

  @Test
  void aStanzaWithNothingToDoHasTheNumberOfTheOneBefore() {
    assertThat(unwritten.add(null)).isZero();
    assertThat(unwritten.add(first)).isEqualTo(1);
    assertThat(unwritten.add(null)).isEqualTo(1);
    assertThat(unwritten.add(second)).isEqualTo(2);
  }

  @Test
  void takesWhatIsToBeDoneUpToTheNumberOnce() {
    unwritten.add(first);
    unwritten.add(second);

    assertThat(unwritten.written(1)).containsExactly(first);
    assertThat(unwritten.written(1)).isEmpty();
    assertThat(unwritten.written(2)).containsExactly(second);
  }

  @Test
  void aNumberThatIsTooHighTakesOnlyWhatWaits() {
    unwritten.add(first);

    assertThat(unwritten.written(9)).containsExactly(first);
    assertThat(unwritten.add(second)).isEqualTo(2);
    assertThat(unwritten.written(2)).containsExactly(second);
  }
}
