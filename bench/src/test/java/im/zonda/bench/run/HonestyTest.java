package im.zonda.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.bench.load.Latencies;
import im.zonda.bench.load.RecordedLatencies;
import im.zonda.bench.result.Result;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class HonestyTest {
  private static Result.Verdict punctual(long delay, long delivery) {
    Histogram delays = RecordedLatencies.empty();
    delays.recordValue(delay);
    Histogram deliveries = RecordedLatencies.empty();
    deliveries.recordValue(delivery);
    return Honesty.punctual(Map.of(Latencies.SEND_DELAY, delays, Latencies.DELIVERY, deliveries));
  }

  @Test
  void aLateGeneratorMakesTheRunInvalid() {
    assertThat(punctual(1_100, 100_000).met()).isFalse();
    assertThat(punctual(900, 100_000).met()).isTrue();
    assertThat(punctual(900, 5_000).met()).isFalse();
    assertThat(punctual(190, 300).met()).isTrue();
    assertThat(punctual(1_100, 100_000).sentence()).startsWith("Not valid").contains("1.10 ms");
    assertThat(Honesty.punctual(Map.of()).met()).isTrue();
  }

  @Test
  void aBusyGeneratorMakesTheRunInvalid() {
    assertThat(Honesty.idle(1_700_000, 1, 2).met()).isFalse();
    assertThat(Honesty.idle(1_500_000, 1, 2).met()).isTrue();
    assertThat(Honesty.idle(1_500_000, 1, 2).sentence()).contains("75 %");
  }
}
