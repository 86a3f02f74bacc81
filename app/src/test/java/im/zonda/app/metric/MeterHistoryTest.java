package im.zonda.app.metric;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.metric.MeterHistory.Measure;
import im.zonda.app.metric.MeterHistory.Step;
import im.zonda.metric.Meters;
import im.zonda.metric.Reading;
import im.zonda.metric.Sample;
import im.zonda.metric.Timing;
import im.zonda.metric.TimingCounts;
import im.zonda.testkit.FakeClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MeterHistoryTest {
  private final FakeClock clock = new FakeClock();
  private final Meters meters = new Meters(Map::of, (meter, cause) -> {});
  private final RecentValues recent = new RecentValues(meters, clock);
  private final MeterHistory history = new MeterHistory();
  private double tasks;
  private double received;

  /// Lets that many steps of five seconds pass, in each of which `more` bytes come.
  private void pass(int steps, double more) {
    for (int i = 0; i < steps; i++) {
      clock.advance(RecentValues.PERIOD);
      received += more;
      history.add(clock.instant(), recent.current());
      recent.sample();
    }
  }

  private MeterHistory measuring(Reading... readings) {
    meters.add(List.of(readings));
    recent.sample();
    return history;
  }

  private Reading bytes() {
    return ServerMeters.NETWORK_BYTES.byEach(() -> List.of(Sample.of(received, "in")));
  }

  private List<Double> values(String meter, Step step, Measure measure, String... labels) {
    return history
        .points(
            new MeterHistory.Key(meter, List.of(labels), measure),
            step,
            Instant.EPOCH,
            clock.instant())
        .stream()
        .map(MeterHistory.Point::value)
        .toList();
  }

  @Test
  void countersHaveTheirRateAndGaugesTheirValue() {
    measuring(bytes(), ServerMeters.MAILBOX_TASKS.by(() -> tasks));
    tasks = 3;
    pass(2, 50);
    tasks = 4;
    pass(1, 0);
    assertThat(values("zonda_network_bytes_total", Step.SECONDS, Measure.RATE, "in"))
        .containsExactly(10.0, 10.0, 0.0);
    assertThat(values("zonda_mailbox_tasks", Step.SECONDS, Measure.VALUE))
        .containsExactly(3.0, 3.0, 4.0);
  }

  @Test
  void aMinuteHasTheMean() {
    measuring(bytes());
    clock.advance(Duration.ofSeconds(55)); // the clock began with a minute
    recent.sample();
    pass(12, 50);
    pass(12, 100);
    assertThat(values("zonda_network_bytes_total", Step.MINUTES, Measure.RATE, "in"))
        .containsExactly(10.0, 20.0);
  }

  @Test
  void timingsHaveTheHighestPercentile() {
    Timing commits = new Timing();
    measuring(ServerMeters.COMMIT.by(commits));
    commits.record(Duration.ofMillis(40).toNanos());
    pass(1, 0);
    assertThat(values("zonda_log_commit_seconds", Step.SECONDS, Measure.P99)).containsExactly(0.04);
    pass(13, 0);
    assertThat(values("zonda_log_commit_seconds", Step.SECONDS, Measure.P99)).endsWith(0.0);
    assertThat(values("zonda_log_commit_seconds", Step.MINUTES, Measure.P99)).contains(0.04);
  }

  @Test
  void theRingsHaveAFixedSizeAndForgetTheOldest() {
    measuring(bytes());
    pass(200, 5);
    pass(1, 50);
    assertThat(values("zonda_network_bytes_total", Step.SECONDS, Measure.RATE, "in"))
        .hasSize(144)
        .startsWith(1.0)
        .endsWith(10.0);
    clock.advance(Duration.ofMinutes(6));
    pass(1, 0);
    // Nothing was measured in between; what is older than 12 minutes is gone.
    assertThat(values("zonda_network_bytes_total", Step.SECONDS, Measure.RATE, "in"))
        .hasSizeBetween(71, 73);
    clock.advance(Duration.ofDays(2));
    assertThat(values("zonda_network_bytes_total", Step.SECONDS, Measure.RATE, "in")).isEmpty();
    assertThat(values("zonda_network_bytes_total", Step.MINUTES, Measure.RATE, "in")).isEmpty();
  }

  @Test
  void aClockThatIsSetBackLosesNothing() {
    measuring(bytes());
    pass(3, 50);
    history.add(clock.instant().minusSeconds(60), recent.current());
    assertThat(values("zonda_network_bytes_total", Step.SECONDS, Measure.RATE, "in")).hasSize(3);
  }

  @Test
  void theNumberOfSeriesHasABound() {
    measuring(
        ServerMeters.ONLINE.byEach(
            () -> IntStream.range(0, 300).mapToObj(host -> Sample.of(1, "h" + host)).toList()));
    pass(2, 0);
    assertThat(history.keys("zonda_accounts_online")).hasSize(MeterHistory.MOST_SERIES);
  }

  @Test
  void percentilesAreOfTheLastMinute() {
    Timing commits = new Timing();
    measuring(ServerMeters.COMMIT.by(commits));
    commits.record(Duration.ofMillis(80).toNanos());
    pass(3, 0);
    commits.record(Duration.ofMillis(2).toNanos(), 9);
    RecentValues.Current now = recent.current().getFirst();
    assertThat(now.value()).isEqualTo(10);
    assertThat(lastMinute(now).quantile(1)).isEqualTo(Duration.ofMillis(80));
    pass(13, 0);
    assertThat(lastMinute(recent.current().getFirst()).count()).isZero();
    assertThat(recent.current().getFirst().value()).isEqualTo(10);
  }

  private static TimingCounts lastMinute(RecentValues.Current current) {
    return Objects.requireNonNull(current.lastMinute());
  }

  @Test
  void itsMetersAreDeclared() {
    assertThat(StandardMeters.ALL).extracting(each -> each.name()).containsAll(MeterHistory.METERS);
  }
}
