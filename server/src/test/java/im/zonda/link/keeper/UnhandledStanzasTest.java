package im.zonda.link.keeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.link.ToSession;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class UnhandledStanzasTest {
  private final AtomicLong all = new AtomicLong();
  private final UnhandledStanzas unhandled = new UnhandledStanzas(4, new KeptBytes(all, 1 << 20));

  private void add(long number, int bytes) {
    unhandled.add(new ToSession.HandledByStream(number, null), number, bytes);
  }

  private List<ToSession> kept() {
    List<ToSession> kept = new ArrayList<>();
    unhandled.forEach(kept::add);
    return kept;
  }

  @Test
  void whatHasBeenHandledIsForgottenAndTheRestStaysInOrder() {
    add(5, 10);
    add(6, 10);
    add(7, 10);
    unhandled.remove(5);
    assertThat(kept())
        .containsExactly(
            new ToSession.HandledByStream(6, null), new ToSession.HandledByStream(7, null));
    unhandled.remove(7);
    assertThat(kept()).isEmpty();
    assertThat(all).hasValue(0);
  }

  @Test
  void aSessionThatHasHandledLessOrMoreThanPossibleIsAnother() {
    add(5, 10);
    add(6, 10);
    unhandled.remove(5);
    assertThat(unhandled.isPossible(4)).isFalse();
    assertThat(unhandled.isPossible(5)).isTrue();
    assertThat(unhandled.isPossible(6)).isTrue();
    assertThat(unhandled.isPossible(7)).isFalse();
  }

  @Test
  void aGapIsADefect() {
    add(5, 10);
    assertThatThrownBy(() -> add(7, 10)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aClientMayLeaveOnlySoMuch() {
    add(5, 200_000);
    assertThat(unhandled.isTooMuch()).isFalse();
    add(6, 200_000);
    assertThat(unhandled.isTooMuch()).isTrue();
    unhandled.remove(5);
    assertThat(unhandled.isFew()).isFalse();
    unhandled.remove(6);
    assertThat(unhandled.isFew()).isTrue();
  }

  @Test
  void aClientMayLeaveLessWhileAllTogetherHaveTooMuch() {
    add(5, 20_000);
    assertThat(unhandled.isTooMuch()).isFalse();
    all.addAndGet(2 << 20);
    assertThat(unhandled.isTooMuch()).isTrue();
  }
}
