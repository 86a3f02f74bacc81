package im.zonda.module.admin.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RecentRateTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Offset<Double> ABOUT = Offset.offset(0.05);

  private final RecentRate rate = new RecentRate(Duration.ofMinutes(1), 0);

  /// Three a second.
  private void steady(int seconds) {
    for (long now = 0; now < seconds * 3L; now++) {
      rate.count(now * 1_000 / 3);
    }
  }

  @Test
  void nothingHasHappened() {
    assertThat(rate.per(SECOND, 0)).isZero();
    assertThat(rate.per(SECOND, 100_000)).isZero();
  }

  @Test
  void aSteadyRateIsKnownSoon() {
    steady(10);
    assertThat(rate.per(SECOND, 10_000)).isCloseTo(3, ABOUT);
  }

  @Test
  void aSteadyRateStays() {
    steady(600);
    assertThat(rate.per(SECOND, 600_000)).isCloseTo(3, ABOUT);
    assertThat(rate.per(Duration.ofMinutes(1), 600_000)).isCloseTo(180, Offset.offset(3.0));
  }

  @Test
  void oneEventIsNoHighRate() {
    rate.count(0);
    assertThat(rate.per(SECOND, 1)).isCloseTo(1, ABOUT);
  }

  @Test
  void whatIsLongAgoDoesNotCount() {
    steady(600);
    assertThat(rate.per(SECOND, 660_000)).isCloseTo(3 / Math.E, ABOUT);
    assertThat(rate.per(SECOND, 1_200_000)).isLessThan(0.001);
  }

  @Test
  void aClockThatGoesBackChangesNothing() {
    rate.count(10_000);
    rate.count(5_000);
    assertThat(rate.per(SECOND, 10_000)).isGreaterThan(0.1);
  }
}
