package im.zonda.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.bench.load.RecordedLatencies;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LastPartsTest {
  private static final long BEGIN = 5_000_000_000L;

  private static Line second(int at, Long... numbers) {
    return Line.of(Line.SECOND)
        .with("at", at)
        .with("latencies", Map.of())
        .with("counters", Map.of())
        .with("lasts", Map.of("last-receiver", List.of(numbers)));
  }

  @Test
  void theLatestPartOfAllProcessesCountsOnceInTheSecondWhereItWasDue() {
    Measurements measurements = new Measurements();
    // Two processes have receivers of message 7, the second one of message 8 too.
    for (Line line :
        List.of(
            second(0, 7L, BEGIN, 300L),
            second(0, 7L, BEGIN, 200L, 8L, BEGIN + 1_500_000_000L, 90L),
            second(1, 7L, BEGIN, 4_000L),
            second(-1, 8L, BEGIN + 1_500_000_000L, 100L))) {
      measurements.addSecond(Line.parse(line.toString()));
    }

    measurements.endLasts(BEGIN);

    Histogram all = Objects.requireNonNull(measurements.latencies().get("last-receiver"));
    assertThat(all.getTotalCount()).isEqualTo(2);
    assertThat(all.getMinValue()).isEqualTo(100);
    assertThat(all.getMaxValue()).isBetween(4_000L, 4_003L);
    assertThat(counts(measurements)).containsExactly(1L, 1L);
  }

  private static Stream<Long> counts(Measurements measurements) {
    return measurements.seconds().stream()
        .map(second -> second.histogram("last-receiver").getTotalCount());
  }

  @Test
  void partsOutsideOfTheMeasuredTimeAreIgnored() {
    RecordedLatencies latencies = new RecordedLatencies();
    latencies.recordLast("last", 1, 10_000, 20_000);
    latencies.measureFrom(30_000);
    latencies.recordLast("last", 2, 29_000, 50_000);
    latencies.recordLast("last", 3, 31_000, 50_000);
    latencies.recordLast("last", 3, 31_000, 40_000);
    latencies.measureUntil(60_000);
    latencies.recordLast("last", 4, 60_000, 70_000);

    assertThat(latencies.intervalOfLasts())
        .isEqualTo(Map.of("last", Map.of(3, new RecordedLatencies.Last(31_000, 19))));
    assertThat(latencies.intervalOfLasts()).isEmpty();
  }
}
