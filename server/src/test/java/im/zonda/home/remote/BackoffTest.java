package im.zonda.home.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private final Backoff backoff = Backoff.standard(new SplittableRandom(3));

  @Test
  void delaysGrowToAMinuteAndAreSpread() {
    for (int failures = 1; failures < 100; failures++) {
      long longest = failures > 5 ? 60_000 : 2_000L << (failures - 1);
      assertThat(backoff.after(failures).toMillis()).isBetween(longest / 2, longest);
    }
    assertThat(backoff.after(9)).isNotEqualTo(backoff.after(9));
    assertThat(backoff.after(0)).isLessThanOrEqualTo(Duration.ofSeconds(2));
  }
}
