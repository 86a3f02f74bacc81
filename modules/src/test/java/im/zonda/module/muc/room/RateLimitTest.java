package im.zonda.module.muc.room;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RateLimitTest {
  private static final int LIMIT = 50;
  private final RateLimit limit = new RateLimit();

  @Test
  void aBurstIsNotDelayed() {
    for (int i = 0; i < LIMIT; i++) {
      assertThat(limit.delay(1_000, LIMIT)).isZero();
    }
    assertThat(limit.delay(1_000, LIMIT)).isPositive();
  }

  @Test
  void aSenderAboveTheLimitIsDelayedToTheRate() {
    long now = 0;
    long count = 0;
    while (now < 100_000) {
      long delay = limit.delay(now, LIMIT);
      assertThat(delay).isBetween(0L, 1_000L);
      now += delay;
      count++;
    }
    // A burst of fifty, then fifty in ten seconds.
    assertThat(count).isBetween(500L, 560L);
  }

  @Test
  void tenTimesTheRateIsRejected() {
    for (int i = 0; i < 10 * LIMIT; i++) {
      assertThat(limit.delay(0, LIMIT)).isNotEqualTo(RateLimit.EXCEEDED);
    }
    assertThat(limit.delay(0, LIMIT)).isEqualTo(RateLimit.EXCEEDED);
    assertThat(limit.isIdle(50_000)).isFalse();
    assertThat(limit.delay(200, LIMIT)).isNotEqualTo(RateLimit.EXCEEDED);
    assertThat(limit.isIdle(200_000)).isTrue();
    assertThat(limit.delay(200_000, LIMIT)).isZero();
  }

  @Test
  void zeroIsNoLimit() {
    for (int i = 0; i < 10_000; i++) {
      assertThat(limit.delay(0, 0)).isZero();
    }
  }
}
