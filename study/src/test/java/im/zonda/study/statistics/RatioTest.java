package im.zonda.study.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RatioTest {
  private static double[] normal(long seed, int count, double mean, double deviation) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = mean + deviation * random.nextGaussian();
    }
    return values;
  }

  @Test
  void findsADifferenceOfFivePercent() {
    Ratio ratio = Ratio.of(normal(1, 30, 105, 3), normal(2, 30, 100, 3));

    assertThat(ratio.value()).isCloseTo(1.05, within(0.02));
    assertThat(ratio.isMore()).isTrue();
    assertThat(ratio.isLess()).isFalse();
  }

  /// In about 95 of 100 pairs of equal distributions the interval holds 1.
  @Test
  void findsNoDifferenceWhereThereIsNone() {
    int found = 0;
    for (int i = 0; i < 40; i++) {
      Ratio ratio = Ratio.of(normal(100 + i, 30, 100, 5), normal(200 + i, 30, 100, 5));
      found += ratio.isLess() || ratio.isMore() ? 1 : 0;
    }

    assertThat(found).isLessThanOrEqualTo(6);
  }

  @Test
  void saysNothingOfSingleValues() {
    Ratio ratio = Ratio.of(new double[] {2}, new double[] {1});

    assertThat(ratio.value()).isEqualTo(2);
    assertThat(ratio.isMore()).isFalse();
    assertThat(ratio.low()).isNaN();
  }
}
