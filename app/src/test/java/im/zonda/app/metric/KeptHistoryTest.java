package im.zonda.app.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.app.metric.MeterHistory.Measure;
import im.zonda.app.metric.MeterHistory.Point;
import im.zonda.app.metric.MeterHistory.Step;
import im.zonda.metric.HistoryStore;
import im.zonda.metric.Meters;
import im.zonda.metric.Sample;
import im.zonda.operation.Outcome;
import im.zonda.storage.memory.MemoryData;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.StoreException.Category;
import im.zonda.testkit.FakeClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeptHistoryTest {
  private static final String TASKS = ServerMeters.MAILBOX_TASKS.name();
  private static final MeterHistory.Key KEY = new MeterHistory.Key(TASKS, List.of(), Measure.VALUE);

  private final FakeClock clock = new FakeClock();
  private final MemoryData data = new MemoryData();
  private final MemoryStores stores = new MemoryStores(data, clock);
  private double tasks;

  /// A process that measures and keeps.
  private final class Running {
    final MeterHistory history = new MeterHistory();
    final KeptHistory kept;
    private final RecentValues recent;

    Running(String node) {
      kept = new KeptHistory(history, stores.history(), node, clock);
      Meters meters = new Meters(Map::of, (meter, cause) -> {});
      meters.add(
          List.of(
              ServerMeters.MAILBOX_TASKS.by(() -> tasks),
              ServerMeters.LOGINS.byEach(() -> List.of(Sample.of(tasks, "failed")))));
      recent = new RecentValues(meters, clock);
    }

    /// Minutes pass, in each of which as many tasks wait.
    Running pass(double... waiting) {
      for (double each : waiting) {
        tasks = each;
        history.add(clock.instant(), recent.current());
        clock.advance(Duration.ofMinutes(1));
      }
      return this;
    }

    List<Double> values(Step step) {
      return history.points(KEY, step, Instant.EPOCH, clock.instant()).stream()
          .map(Point::value)
          .toList();
    }
  }

  @Test
  void whatWasMeasuredIsKnownAfterARestart() {
    Running first = new Running("");
    first.kept.save();
    first.pass(3, 4, 5).kept.close();
    clock.advance(Duration.ofMinutes(2));
    Running second = new Running("").pass(6);
    second.kept.save();
    assertThat(second.values(Step.MINUTES)).containsExactly(3.0, 4.0, 5.0, 6.0);
    assertThat(second.values(Step.SECONDS)).containsExactly(6.0);
    second.pass(7).kept.save();
    Running third = new Running("");
    third.kept.save();
    assertThat(third.values(Step.MINUTES)).containsExactly(3.0, 4.0, 5.0, 6.0, 7.0);
  }

  @Test
  void aQuarterHasTheMeanOfItsMinutes() {
    Running first = new Running("");
    first.kept.save();
    first.pass(IntStream.range(0, 15).mapToDouble(each -> 8).toArray());
    first.pass(IntStream.range(0, 15).mapToDouble(each -> 2).toArray());
    assertThat(first.values(Step.QUARTERS)).containsExactly(8.0, 2.0);
    first.kept.close();
    clock.advance(Duration.ofDays(20));
    Running second = new Running("");
    second.kept.save();
    assertThat(second.values(Step.QUARTERS)).containsExactly(8.0, 2.0);
    assertThat(second.values(Step.MINUTES)).isEmpty();
  }

  @Test
  void whatIsOldIsErased() {
    Running first = new Running("");
    first.kept.save();
    first.pass(1, 2).kept.save();
    assertThat(stores.history().read("", 60, 0, Long.MAX_VALUE)).hasSize(1);
    clock.advance(Duration.ofDays(2));
    first.kept.save();
    assertThat(stores.history().read("", 60, 0, Long.MAX_VALUE)).isEmpty();
    assertThat(stores.history().read("", 900, 0, Long.MAX_VALUE)).hasSize(1);
    clock.advance(Duration.ofDays(40));
    first.kept.save();
    assertThat(stores.history().nodes()).isEmpty();
  }

  @Test
  void aStoreThatFailsCostsNothingElse() {
    Running process = new Running("");
    stores.fail(Category.UNAVAILABLE);
    process.kept.save();
    process.pass(1, 2).kept.save();
    process.kept.close();
    assertThat(process.values(Step.MINUTES)).containsExactly(1.0, 2.0);
    stores.beforeCall(() -> {});
    process.kept.save();
    Running second = new Running("");
    second.kept.save();
    assertThat(second.values(Step.MINUTES)).containsExactly(1.0, 2.0);
  }

  @Test
  void aNodeKnowsTheHistoryOfAnother() {
    Running first = new Running("n1");
    first.kept.save();
    first.pass(3, 4).kept.save();
    Running second = new Running("n2").pass(9);
    HistoryOperation operation = new HistoryOperation(second.history, second.kept, clock);
    assertThat(points(operation, "n1", Step.MINUTES)).containsExactly(3.0, 4.0);
    assertThat(points(operation, "n2", Step.MINUTES)).containsExactly(9.0);
    assertThat(operation.find(wanted("n1", Step.SECONDS, 100)))
        .isInstanceOfSatisfying(
            Outcome.Refused.class, refused -> assertThat(refused.field()).isEqualTo("step"));
    stores.fail(Category.UNAVAILABLE);
    assertThat(operation.find(wanted("n1", Step.MINUTES, 100)))
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused -> assertThat(refused.reason()).isEqualTo(Outcome.Reason.UNAVAILABLE));
  }

  private static HistoryOperation.Wanted wanted(String node, Step step, int points) {
    return new HistoryOperation.Wanted(List.of(TASKS), step, null, null, points, node);
  }

  private static List<Double> points(HistoryOperation operation, String node, Step step) {
    return operation.find(wanted(node, step, 2_880)) instanceof Outcome.Done<?>(var result)
            && result instanceof HistoryOperation.History history
        ? history.series().getFirst().points().stream().map(HistoryOperation.Value::value).toList()
        : List.of();
  }

  @Test
  void stepsArePutTogether() {
    List<Point> points =
        IntStream.range(0, 6).mapToObj(i -> new Point(Instant.ofEpochSecond(60L * i), i)).toList();
    assertThat(HistoryOperation.together(points, 120, false))
        .extracting(HistoryOperation.Value::value)
        .containsExactly(0.5, 2.5, 4.5);
    assertThat(HistoryOperation.together(points, 240, true))
        .extracting(HistoryOperation.Value::value)
        .containsExactly(3.0, 5.0);
  }

  @Test
  void whatIsStoredIsReadAsItWas() throws Exception {
    float[] values = {1, Float.NaN, -0.5f};
    MeterHistory.Key labelled =
        new MeterHistory.Key("zonda_logins_total", List.of("f\u00e4iled"), Measure.RATE);
    byte[] bytes = HistoryCode.encode(Map.of(labelled, values));
    assertThat(HistoryCode.decode(bytes, 3).get(labelled)).containsExactly(values);
    assertThatThrownBy(() -> HistoryCode.decode(bytes, 2)).isInstanceOf(IOException.class);
    byte[] damaged = bytes.clone();
    damaged[3] ^= 127;
    assertThatThrownBy(() -> HistoryCode.decode(damaged, 3)).isInstanceOf(IOException.class);
    bytes[0] = 2;
    assertThat(HistoryCode.decode(bytes, 3)).isEmpty();
  }

  @Test
  void aDamagedPartIsLeftOut() {
    Running first = new Running("");
    first.kept.save();
    first.pass(1).kept.save();
    long begin = stores.history().read("", 60, 0, Long.MAX_VALUE).getFirst().begin();
    stores.history().put(new HistoryStore.Part("", 60, begin, new byte[] {1, 2, 3}));
    Running second = new Running("");
    second.kept.save();
    assertThat(second.values(Step.MINUTES)).isEmpty();
    assertThat(second.values(Step.QUARTERS)).containsExactly(1.0);
  }
}
