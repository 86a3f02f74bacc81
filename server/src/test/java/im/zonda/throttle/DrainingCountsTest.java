package im.zonda.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class DrainingCountsTest {
  private static final int MOST = 1_000;

  private final DrainingCounts counts = new DrainingCounts(1_024, Duration.ofSeconds(10), "seed");

  @Test
  void aCountGoesDownByOneInItsTime() {
    long key = counts.keyOf("a");
    counts.add(key, 3, MOST, 0);

    assertThat(counts.get(key, 0)).isEqualTo(3);
    assertThat(counts.get(key, 5_000)).isEqualTo(2.5, within(1e-9));
    assertThat(counts.add(key, 1, MOST, 10_000)).isEqualTo(3, within(1e-9));
    assertThat(counts.get(key, 100_000)).isZero();
  }

  @Test
  void aCountStaysWithinItsBounds() {
    long key = counts.keyOf("a");

    assertThat(counts.add(key, 9, 5, 0)).isEqualTo(5);
    assertThat(counts.add(key, 1, 4, 0)).as("a lower bound takes nothing away").isEqualTo(5);
    assertThat(counts.add(key, -9, 0, 0)).isZero();
    assertThat(counts.add(counts.keyOf("b"), -1, 0, 0)).isZero();
  }

  @Test
  void row41_memoryIsBoundedAndHighCountsStay() {
    long victim = counts.keyOf("victim");
    counts.add(victim, 3, MOST, 0);
    for (int i = 0; i < 100_000; i++) {
      counts.add(counts.keyOf("name" + i), 1, MOST, 0);
    }

    assertThat(counts.places()).isEqualTo(1_024);
    assertThat(counts.get(victim, 0)).isEqualTo(3);
  }

  @Test
  void placesDependOnTheSeed() {
    DrainingCounts other = new DrainingCounts(1_024, Duration.ofSeconds(10), "other");

    assertThat(other.keyOf("a")).isNotEqualTo(counts.keyOf("a"));
  }

  @Test
  void aClockThatIsSetBackStopsNothing() {
    long key = counts.keyOf("a");
    long late = Duration.ofDays(365).toMillis();
    counts.add(key, 3, MOST, late);

    assertThat(counts.get(key, 0)).isEqualTo(3);
    assertThat(counts.get(key, 20_000)).isEqualTo(1, within(1e-9));
  }

  @Test
  void clocksOfThreadsThatDifferDrainNothingTwice() {
    long key = counts.keyOf("a");
    for (int i = 0; i < 100; i++) {
      counts.add(key, 1, MOST, i % 2 == 0 ? 1_000 : 0);
    }

    assertThat(counts.get(key, 1_000)).isEqualTo(100, within(1e-9));
  }
}
