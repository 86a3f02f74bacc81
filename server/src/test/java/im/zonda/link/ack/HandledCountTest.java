package im.zonda.link.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The count that the server acknowledges by.
final class HandledCountTest {
  private final HandledCount count = new HandledCount(0);

  private void arrive(int stanzas) {
    for (long number = 1; number <= stanzas; number++) {
      count.arrived(number);
    }
  }

  @Test
  void theCountStopsAtTheFirstStanzaThatHasNotBeenHandled() {
    arrive(4);
    assertThat(count.finished(2)).isFalse();
    assertThat(count.finished(4)).isFalse();
    assertThat(count.handled()).isZero();
    assertThat(count.finished(1)).isTrue();
    assertThat(count.handled()).isEqualTo(2);
    assertThat(count.isSettled()).isFalse();
    assertThat(count.finished(3)).isTrue();
    assertThat(count.handled()).isEqualTo(4);
    assertThat(count.isSettled()).isTrue();
  }

  @Test
  void aStanzaThatIsNotTheNextOneIsADefect() {
    arrive(1);
    assertThatThrownBy(() -> count.arrived(1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> count.arrived(3)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> count.finished(2)).isInstanceOf(IllegalStateException.class);
    assertThat(count.finished(1)).isTrue();
    assertThatThrownBy(() -> count.finished(1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aSessionThatWasSavedGoesOnFromItsCount() {
    HandledCount saved = new HandledCount(7);
    assertThat(saved.isSettled()).isTrue();
    saved.arrived(8);
    assertThat(saved.isSettled()).isFalse();
    assertThat(saved.finished(8)).isTrue();
    assertThat(saved.handled()).isEqualTo(8);
  }

  /// As a simple model says, over so many stanzas that the past is dropped several times.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void stanzasEndInAnyOrder(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Long> open = new ArrayList<>();
    long received = 0;
    while (received < 40_000) {
      boolean more = open.isEmpty() || (open.size() < 100 && random.nextBoolean());
      if (more) {
        count.arrived(++received);
        open.add(received);
      } else {
        // The first one rarely, so that a gap stays for long.
        int at = random.nextInt(50) == 0 ? 0 : random.nextInt(open.size());
        long before = count.handled();
        boolean up = count.finished(open.remove(at));
        long expected = open.isEmpty() ? received : open.getFirst() - 1;
        assertThat(count.handled()).as("seed %d", seed).isEqualTo(expected);
        assertThat(up).isEqualTo(count.handled() > before);
        assertThat(count.isSettled()).isEqualTo(open.isEmpty());
      }
    }
  }
}
