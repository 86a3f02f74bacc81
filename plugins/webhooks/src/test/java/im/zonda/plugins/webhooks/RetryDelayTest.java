package im.zonda.plugins.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RetryDelayTest {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration MOST = Duration.ofMinutes(5);

  @Test
  void delaysDoubleUpToABoundAndAreJittered() {
    RetryDelay delay = new RetryDelay(new Random(1));
    boolean hasVaried = false;
    for (int i = 0; i < 100; i++) {
      long whole = Math.min(1_000L << Math.min(i, 20), MOST.toMillis());
      long millis = delay.next(FIRST, MOST).toMillis();
      assertThat(millis).isBetween(whole / 2, whole);
      hasVaried |= millis != whole;
    }
    assertThat(hasVaried).isTrue();
    delay.reset();
    assertThat(delay.next(FIRST, MOST)).isLessThanOrEqualTo(FIRST);
  }
}
