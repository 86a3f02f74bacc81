package im.zonda.bench.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LineTest {
  @Test
  void exactLineIsFound() {
    Line line = Line.through(new double[] {1, 2, 3, 4}, new double[] {5, 7, 9, 11});
    assertThat(line.slope()).isCloseTo(2, within(1e-12));
    assertThat(line.intercept()).isCloseTo(3, within(1e-12));
    assertThat(line.at(10)).isCloseTo(23, within(1e-12));
    assertThat(line.slopeHigh() - line.slopeLow()).isCloseTo(0, within(1e-6));
    assertThat(line.explained()).isEqualTo(1);
  }

  @Test
  void intervalHoldsSlopeIn95Of100Cases() {
    SplittableRandom random = new SplittableRandom(2);
    int held = 0;
    for (int round = 0; round < 2_000; round++) {
      double[] x = new double[6];
      double[] y = new double[6];
      for (int i = 0; i < x.length; i++) {
        x[i] = i;
        y[i] = 3 + 2 * i + random.nextGaussian();
      }
      Line line = Line.through(x, y);
      held += line.slopeLow() <= 2 && line.slopeHigh() >= 2 ? 1 : 0;
    }
    assertThat(held).isBetween(1_860, 1_940);
  }

  @Test
  void pointsWithoutLineAreRefused() {
    double[] two = {1, 2};
    double[] same = {1, 1, 1};
    assertThatThrownBy(() -> Line.through(two, two)).hasMessageContaining("three");
    assertThatThrownBy(() -> Line.through(same, same)).hasMessageContaining("same x");
  }

  @Test
  void limitsOfStudentAreThoseOfTables() {
    int[] degrees = {1, 2, 3, 4, 5, 10, 30, 120};
    double[] limits = {12.706, 4.303, 3.182, 2.776, 2.571, 2.228, 2.042, 1.980};
    for (int i = 0; i < degrees.length; i++) {
      assertThat(StudentT.limit(degrees[i])).isCloseTo(limits[i], within(limits[i] * 0.002));
    }
  }
}
