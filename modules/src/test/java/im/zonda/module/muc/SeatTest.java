package im.zonda.module.muc;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.muc.Seat.Budget;
import org.junit.jupiter.api.Test;

class SeatTest {
  private static final int MOST = 50;
  private final Budget budget = new Budget();

  @Test
  void aBurstIsNotDelayed() {
    for (int i = 0; i < MOST; i++) {
      assertThat(budget.pace(1_000, MOST)).isZero();
    }
    assertThat(budget.pace(1_000, MOST)).isPositive();
  }

  @Test
  void whoGoesOnIsDelayedToTheRateAndNeverRefused() {
    long now = 0;
    long count = 0;
    while (now < 100_000) {
      long delay = budget.pace(now, MOST);
      assertThat(delay).isBetween(0L, 1_000L);
      now += delay;
      count++;
    }
    // The burst, and then fifty in ten seconds.
    assertThat(count).isBetween(500L, 560L);
  }

  @Test
  void tenTimesAsManyAtOnceAreRefused() {
    for (int i = 0; i < 10 * MOST; i++) {
      assertThat(budget.pace(0, MOST)).isNotEqualTo(Budget.REFUSED);
    }
    assertThat(budget.pace(0, MOST)).isEqualTo(Budget.REFUSED);
    assertThat(budget.isOver(50_000)).isFalse();
    assertThat(budget.pace(200, MOST)).isNotEqualTo(Budget.REFUSED);
    assertThat(budget.isOver(200_000)).isTrue();
    assertThat(budget.pace(200_000, MOST)).isZero();
  }

  @Test
  void zeroIsNoLimit() {
    for (int i = 0; i < 10_000; i++) {
      assertThat(budget.pace(0, 0)).isZero();
    }
  }
}
