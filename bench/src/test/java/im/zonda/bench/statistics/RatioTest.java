package im.zonda.bench.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RatioTest {
  private static final int RESAMPLES = 400;

  /// Pairs on a machine whose speed drifts by up to four times, for both turns of a pair.
  ///
  /// @param slower how many times as much B costs
  /// @param noise the standard deviation of one turn, as a share
  private static Ratio pairs(long seed, int pairs, double slower, double noise) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] a = new double[pairs];
    double[] b = new double[pairs];
    for (int i = 0; i < pairs; i++) {
      double machine = 30 * Math.exp(random.nextDouble() * Math.log(4));
      a[i] = machine * Math.exp(noise * random.nextGaussian());
      b[i] = machine * slower * Math.exp(noise * random.nextGaussian());
    }
    return Ratio.ofPairs(a, b, RESAMPLES);
  }

  private static int shown(int pairs, double slower, double noise) {
    int shown = 0;
    for (int seed = 0; seed < 200; seed++) {
      shown += pairs(seed, pairs, slower, noise).holdsOne() ? 0 : 1;
    }
    return shown;
  }

  @Test
  void slownessOfFivePercentIsFound() {
    assertThat(shown(8, 1.05, 0.02)).isGreaterThan(190);
    assertThat(shown(30, 1.05, 0.04)).isGreaterThan(190);
    assertThat(shown(150, 1.05, 0.10)).isGreaterThan(190);
  }

  @Test
  void nullIsNotFound() {
    assertThat(shown(4, 1, 0.02)).isBetween(0, 20);
    assertThat(shown(8, 1, 0.10)).isBetween(2, 20);
    assertThat(shown(60, 1, 0.10)).isBetween(2, 20);
  }

  @Test
  void ratioLiesInItsInterval() {
    Ratio ratio = pairs(7, 100, 1.05, 0.02);
    assertThat(ratio.value()).isCloseTo(1.05, within(0.01));
    assertThat(ratio.low()).isBetween(1.03, ratio.value());
    assertThat(ratio.high()).isBetween(ratio.value(), 1.07);
    assertThat(ratio.noise()).isCloseTo(0.02 * Math.sqrt(2), within(0.005));
    assertThat(ratio.largestDifference()).isEqualTo(ratio.high() - 1);
  }

  @Test
  void samePairsHaveSameInterval() {
    double[] a = {10, 11, 12, 13, 15.5, 14.1, 13.7, 12.9};
    double[] b = {11, 12.2, 12.1, 15, 15.1, 14.9, 13.5, 13.1};
    assertThat(Ratio.ofPairs(a, b)).isEqualTo(Ratio.ofPairs(a, b));
    assertThat(Ratio.ofPairs(a, a)).isEqualTo(new Ratio(1, 1, 1, 0, 8));
  }

  @Test
  void asManyPairsAsSaidShowDifference() {
    Ratio first = pairs(1, 50, 1, 0.05);
    int pairs = first.pairsFor(0.05);
    assertThat(pairs).isBetween(12, 24);
    assertThat(shown(pairs, 1.05, 0.05)).isBetween(140, 190);
  }

  @Test
  void costsThatHaveNoRatioAreRefused() {
    double[] four = {1, 2, 3, 4};
    assertThatThrownBy(() -> Ratio.ofPairs(four, new double[] {1, 2, 0, 4}))
        .hasMessageContaining("pair 3");
    assertThatThrownBy(() -> Ratio.ofPairs(four, new double[] {1, 2, 3}))
        .hasMessageContaining("4 and 3 turns");
  }
}
