package im.zonda.home.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnwrittenTest {
  private enum Left implements Runnable {
    FIRST,
    SECOND;

    @Override
    public void run() {}
  }

  private final Unwritten unwritten = new Unwritten();

  @Test
  void aStanzaWithNothingToDoHasTheNumberOfTheOneBefore() {
    assertThat(unwritten.add(null)).isZero();
    assertThat(unwritten.add(Left.FIRST)).isEqualTo(1);
    assertThat(unwritten.add(null)).isEqualTo(1);
    assertThat(unwritten.add(Left.SECOND)).isEqualTo(2);
  }

  @Test
  void takesWhatIsToBeDoneUpToTheNumberOnce() {
    unwritten.add(Left.FIRST);
    unwritten.add(Left.SECOND);

    assertThat(unwritten.written(1)).containsExactly(Left.FIRST);
    assertThat(unwritten.written(1)).isEmpty();
    assertThat(unwritten.written(2)).containsExactly(Left.SECOND);
  }

  @Test
  void aNumberThatIsTooHighTakesOnlyWhatWaits() {
    unwritten.add(Left.FIRST);

    assertThat(unwritten.written(9)).containsExactly(Left.FIRST);
    assertThat(unwritten.add(Left.SECOND)).isEqualTo(2);
    assertThat(unwritten.written(2)).containsExactly(Left.SECOND);
  }
}
