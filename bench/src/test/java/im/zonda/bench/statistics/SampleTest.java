package im.zonda.bench.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SampleTest {
  @Test
  void quantilesAreInterpolated() {
    Sample sample = Sample.of(4, 1, Double.NaN, 3, 2);
    assertThat(sample.size()).isEqualTo(4);
    assertThat(sample.median()).isEqualTo(2.5);
    assertThat(sample.quantile(0.25)).isEqualTo(1.75);
    assertThat(sample.least()).isEqualTo(1);
    assertThat(sample.most()).isEqualTo(4);
    assertThat(Sample.of().median()).isNaN();
    assertThatThrownBy(() -> sample.quantile(1.1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void quantilesOfExponentialDistributionAreItsOwn() {
    SplittableRandom random = new SplittableRandom(1);
    Sample sample =
        Sample.of(IntStream.range(0, 100_000).mapToDouble(i -> random.nextExponential()).toArray());
    for (double share : new double[] {0.5, 0.9, 0.99}) {
      assertThat(sample.quantile(share)).isCloseTo(-Math.log(1 - share), within(0.05));
    }
    assertThat(sample.mean()).isCloseTo(1, within(0.02));
    assertThat(sample.deviation()).isCloseTo(1, within(0.02));
  }

  @Test
  void trimmedMeanIgnoresSingleValues() {
    double[] values = IntStream.rangeClosed(1, 1_000).mapToDouble(i -> i).toArray();
    double mean = Sample.of(values).trimmedMean(0.01);
    values[500] = 65_064;
    assertThat(mean).isEqualTo(500.5);
    assertThat(Sample.of(values).trimmedMean(0.01)).isCloseTo(mean, within(1.0));
    assertThat(Sample.of(values).mean()).isCloseTo(mean + 64.6, within(0.1));
  }
}
