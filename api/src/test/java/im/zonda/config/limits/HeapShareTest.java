package im.zonda.config.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class HeapShareTest {
  private static final long HEAP = 128L << 20;

  @Test
  void allSharesTogetherLeaveAFifthOfTheHeap() {
    long all =
        Arrays.stream(HeapShare.values())
            .mapToLong(share -> share.bound(Long.MAX_VALUE, HEAP))
            .sum();
    assertThat(all).isLessThanOrEqualTo(HEAP / 5 * 4);
  }

  @Test
  void lessMayBeConfigured() {
    assertThat(HeapShare.LOG_QUEUE.bound(1_000, HEAP)).isEqualTo(1_000);
  }
}
