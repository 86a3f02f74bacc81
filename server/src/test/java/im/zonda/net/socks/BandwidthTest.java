package im.zonda.net.socks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BandwidthTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  @Test
  void aQuarterOfASecondIsFreeAndTheRestWaits() {
    Bandwidth bandwidth = new Bandwidth(1_000);
    assertThat(bandwidth.take(250, 0)).isZero();
    assertThat(bandwidth.take(500, 0)).isEqualTo(SECOND / 2);
    assertThat(bandwidth.take(500, SECOND / 2)).isEqualTo(SECOND / 2);
  }

  @Test
  void whatIsNotUsedDoesNotAddUp() {
    Bandwidth bandwidth = new Bandwidth(1_000);
    bandwidth.take(1, 0);
    assertThat(bandwidth.take(250, 100 * SECOND)).isZero();
    assertThat(bandwidth.take(1_000, 100 * SECOND)).isEqualTo(SECOND);
  }

  @Test
  void timesMayBeNegative() {
    Bandwidth bandwidth = new Bandwidth(1_000);
    assertThat(bandwidth.take(1_250, -5 * SECOND)).isEqualTo(SECOND);
    assertThat(bandwidth.take(0, -4 * SECOND)).isZero();
  }

  @Test
  void zeroIsNoLimit() {
    assertThat(new Bandwidth(0).take(Integer.MAX_VALUE, 7)).isZero();
  }
}
