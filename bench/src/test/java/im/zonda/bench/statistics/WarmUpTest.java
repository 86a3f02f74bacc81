package im.zonda.bench.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarmUpTest {
  private static int windowsUntilWarm(double... costs) {
    WarmUp warmUp = new WarmUp();
    for (int i = 0; i < costs.length; i++) {
      if (warmUp.add(costs[i])) {
        return i + 1;
      }
    }
    return -1;
  }

  @Test
  void threeWindowsMustAgree() {
    assertThat(windowsUntilWarm(100, 60, 40, 31, 30.5, 30)).isEqualTo(6);
    assertThat(windowsUntilWarm(30, 30)).isEqualTo(-1);
    assertThat(windowsUntilWarm(30, 31, 32)).isEqualTo(-1);
    assertThat(windowsUntilWarm(30, 33, 30, 33, 30, 33)).isEqualTo(-1);
  }

  @Test
  void windowWithoutOperationEndsAgreement() {
    assertThat(windowsUntilWarm(30, 30, Double.NaN, 30, 30, 30)).isEqualTo(6);
  }
}
