package im.zonda.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TimingTest {
  private final Timing timing = new Timing();

  @Test
  void eachLengthIsInTheBucketWhoseBoundsItHas() {
    for (long time = 1; time < 100_000_000_000L; time += 1 + time / 37) {
      int bucket = TimingCounts.bucketOf(time);
      assertThat(TimingCounts.boundOf(bucket)).as("%d", time).isGreaterThanOrEqualTo(time);
      if (bucket > 0) {
        assertThat(TimingCounts.boundOf(bucket - 1)).as("%d", time).isLessThan(time);
      }
    }
  }

  @Test
  void theBoundsForMonitoringSystemsAreBoundsOfBuckets() {
    for (Duration bound : TimingCounts.BOUNDS) {
      long nanos = bound.toNanos();
      assertThat(TimingCounts.boundOf(TimingCounts.bucketOf(nanos))).isEqualTo(nanos);
      assertThat(TimingCounts.bucketOf(nanos + 1)).isEqualTo(TimingCounts.bucketOf(nanos) + 1);
    }
  }

  @Test
  void extremesAreInTheFirstAndTheLastBucket() {
    timing.record(-5);
    timing.record(0);
    timing.record(Duration.ofHours(1).toNanos(), 2);
    TimingCounts counts = timing.counts();
    assertThat(counts.count()).isEqualTo(4);
    assertThat(counts.sum()).isEqualTo(Duration.ofHours(2));
    assertThat(counts.atMost(Duration.ofNanos(1_000))).isEqualTo(2);
    assertThat(counts.atMost(Duration.ofSeconds(100))).isEqualTo(2);
    assertThat(counts.quantile(1)).isEqualTo(Duration.ofSeconds(100));
  }

  @Test
  void percentilesAreAtMostATenthTooLong() {
    for (int i = 1; i <= 1_000; i++) {
      timing.record(Duration.ofNanos(i * 10_000L).toNanos());
    }
    TimingCounts counts = timing.counts();
    assertThat(counts.quantile(0.5)).isBetween(Duration.ofMillis(5), Duration.ofNanos(5_500_000));
    assertThat(counts.quantile(0.99)).isBetween(Duration.ofNanos(9_900_000), Duration.ofMillis(10));
    assertThat(counts.quantile(1)).isEqualTo(Duration.ofMillis(10));
    assertThat(counts.atMost(Duration.ofMillis(1))).isEqualTo(100);
    assertThat(TimingCounts.NONE.quantile(0.99)).isZero();
  }

  @Test
  void whatWasRecordedSinceIsTheDifference() {
    timing.record(2_000_000, 10);
    TimingCounts before = timing.counts();
    timing.record(30_000_000, 3);
    TimingCounts since = timing.counts().minus(before);
    assertThat(since.count()).isEqualTo(3);
    assertThat(since.sum()).isEqualTo(Duration.ofMillis(90));
    assertThat(since.quantile(0)).isEqualTo(Duration.ofMillis(30));
    assertThat(since.plus(before).count()).isEqualTo(13);
  }

  @Test
  void anotherProcessCanAddWhatItHas() {
    timing.record(5_000, 2);
    timing.record(30_000_000);
    TimingCounts sent = timing.counts();
    TimingCounts read = TimingCounts.of(sent.buckets(), sent.sum().toNanos());
    assertThat(read).isEqualTo(sent).hasSameHashCodeAs(sent);
    timing.add(read);
    assertThat(timing.counts()).isEqualTo(sent.plus(read)).isNotEqualTo(sent);
    assertThatThrownBy(() -> TimingCounts.of(Map.of(722, 1L), 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> TimingCounts.of(Map.of(1, -1L), 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void threadsCountBesideEachOther() throws Exception {
    Thread[] threads = new Thread[8];
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          Thread.ofPlatform()
              .start(() -> {
                for (int n = 0; n < 10_000; n++) {
                  timing.record(5_000);
                }
              });
    }
    for (Thread each : threads) {
      each.join();
    }
    assertThat(timing.counts().count()).isEqualTo(80_000);
    assertThat(timing.counts().sum()).isEqualTo(Duration.ofMillis(400));
  }
}
