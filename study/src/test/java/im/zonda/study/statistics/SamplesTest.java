package im.zonda.study.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SamplesTest {
  private final Samples hundred =
      new Samples(IntStream.rangeClosed(1, 100).mapToDouble(i -> i).toArray());

  @Test
  void hasTheUsualFigures() {
    assertThat(hundred.average()).isEqualTo(50.5);
    assertThat(hundred.least()).isEqualTo(1);
    assertThat(hundred.most()).isEqualTo(100);
    assertThat(hundred.percentile(0.5)).isEqualTo(50);
    assertThat(hundred.percentile(0.99)).isEqualTo(99);
  }

  @Test
  void trimsTheOneThatMovesTheMean() {
    double[] millis = hundred.millis();
    millis[99] = 65_000;

    assertThat(new Samples(millis).average()).isGreaterThan(600);
    assertThat(new Samples(millis).trimmed()).isEqualTo(50.5);
  }

  @Test
  void batchesKeepTheOrder() {
    assertThat(hundred.batchMeans(4)).containsExactly(13, 38, 63, 88);
    assertThat(new Samples(new double[] {7}).batchMeans(24)).containsExactly(7);
  }
}
