package im.zonda.app.alarm;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.metric.Figure;
import im.zonda.config.monitoring.Alarms;
import im.zonda.jid.Jid;
import im.zonda.storage.memory.MemoryData;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.StoreException;
import im.zonda.store.StoreException.Category;
import im.zonda.testkit.FakeClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AlarmWatchTest {
  private static final Duration PERIOD = Duration.ofSeconds(5);

  private final FakeClock clock = new FakeClock();
  private final MemoryData data = new MemoryData();
  private final MemoryStores stores = new MemoryStores(data, clock);
  private Alarms thresholds = Alarms.DEFAULTS;
  private Duration monotonic = Duration.ZERO;
  private @Nullable Duration ahead;
  private @Nullable ClusterFacts cluster;
  private boolean failing;
  private final AlarmSources sources =
      new AlarmSources(
          () -> monotonic,
          () -> ahead,
          () -> {
            if (failing) {
              throw new StoreException(Category.UNAVAILABLE, "no", null);
            }
            return cluster;
          });
  private AlarmWatch watch = watch("");

  private AlarmWatch watch(String node) {
    return new AlarmWatch(
        () -> thresholds, stores.keyValues(AlarmWatch.STORE), node, clock, Runnable::run, sources);
  }

  private static Figure figure(String meter, double value, String... labels) {
    return new Figure(meter, List.of(labels), value, null);
  }

  private static List<Figure> disk(double free) {
    return List.of(figure("zonda_disk_free_bytes", free), figure("zonda_disk_bytes", 100));
  }

  private void check(int times, List<Figure> figures) {
    for (int i = 0; i < times; i++) {
      clock.advance(PERIOD);
      monotonic = monotonic.plus(PERIOD);
      watch.check(figures);
    }
  }

  private List<String> texts() {
    return watch.all().stream()
        .map(each -> (each.ended() == null ? "active: " : "past: ") + each.text())
        .toList();
  }

  @Test
  void anAlarmEndsWhenNothingHasBeenWrongForAMinute() {
    check(1, disk(4));
    assertThat(texts())
        .containsExactly("active: Only 4.0 % of the disk of the data folder are free.");
    check(11, disk(50));
    check(1, disk(3));
    check(11, disk(50));
    assertThat(texts()).singleElement().asString().startsWith("active");
    check(1, disk(50));
    assertThat(texts())
        .containsExactly("past: Only 4.0 % of the disk of the data folder are free.");
  }

  @Test
  void theHeapMustBeFullForAMinute() {
    List<Figure> full =
        List.of(
            figure("jvm_memory_used_bytes", 97, "heap"),
            figure("jvm_memory_used_bytes", 5, "nonheap"),
            figure("jvm_memory_max_bytes", 100, "heap"));
    check(11, full);
    assertThat(texts()).isEmpty();
    check(1, full);
    assertThat(texts()).containsExactly("active: 97.0 % of the heap are taken.");
  }

  @Test
  void eachThresholdHasItsAlarm() {
    Instant soon = clock.instant().plus(Duration.ofDays(3));
    List<Figure> figures =
        List.of(
            figure(
                "zonda_certificate_expiry_timestamp_seconds",
                (double) soon.getEpochSecond(),
                "a.example"),
            figure("zonda_certificate_expiry_timestamp_seconds", 9e9, "b.example"),
            figure("zonda_store_ok", 0),
            figure("zonda_log_queue_bytes", 64 << 20),
            figure("zonda_s2s_queue_bytes", 33 << 20),
            new Figure("zonda_gc_pause_seconds", List.of(), 7, 2.5));
    check(3, figures);
    assertThat(texts())
        .containsExactlyInAnyOrder(
            "active: The certificate of a.example ends: "
                + soon.truncatedTo(ChronoUnit.SECONDS)
                + ".",
            "active: The database does not store.",
            "active: 64 MiB wait to be stored.",
            "active: 33 MiB wait for other servers.",
            "active: The garbage collector has stopped the server for 2.5 s.");
  }

  @Test
  void aThresholdOfZeroIsNone() {
    thresholds =
        new Alarms(
            0, 0, Duration.ZERO, 0, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);
    List<Figure> figures = new ArrayList<>(disk(0));
    figures.add(figure("zonda_log_queue_bytes", 1e12));
    figures.add(new Figure("zonda_gc_pause_seconds", List.of(), 1, 99.0));
    figures.add(figure("zonda_certificate_expiry_timestamp_seconds", 0, "a.example"));
    check(20, figures);
    assertThat(texts()).isEmpty();
  }

  @Test
  void anActiveAlarmGoesOnAfterARestart() {
    check(1, disk(4));
    Instant since = clock.instant();
    watch = watch("");
    check(2, disk(4));
    assertThat(watch.all()).singleElement().extracting(Alarm::since).isEqualTo(since);
    check(12, disk(50));
    assertThat(texts()).singleElement().asString().startsWith("past");
  }

  @Test
  void othersKnowTheAlarmsOfANode() {
    AlarmWatch other = watch("n2");
    other.check(disk(4));
    check(1, disk(50));
    assertThat(watch.all()).extracting(Alarm::node).containsExactly("n2");
    check(20, disk(50));
    assertThat(texts()).singleElement().asString().startsWith("active");
  }

  @Test
  void whoHasSeenAnAlarmIsKept() {
    check(1, disk(4));
    String id = watch.all().getFirst().id();
    assertThat(acknowledgedBy()).isNull();
    assertThat(watch.acknowledge(id, "alice@example.org")).isNotNull();
    assertThat(watch.acknowledge("none", "alice@example.org")).isNull();
    check(12, disk(50));
    watch = watch("");
    assertThat(texts()).singleElement().asString().startsWith("past");
    assertThat(acknowledgedBy()).isEqualTo("alice@example.org");
  }

  private @Nullable String acknowledgedBy() {
    return watch.all().getFirst().acknowledgedBy();
  }

  @Test
  void aStoreThatFailsHasItsAlarmStoredLater() {
    check(1, disk(50));
    stores.fail(Category.UNAVAILABLE);
    check(1, List.of(figure("zonda_store_ok", 0)));
    assertThat(texts()).containsExactly("active: The database does not store.");
    stores.beforeCall(() -> {});
    check(1, List.of(figure("zonda_store_ok", 1)));
    watch = watch("");
    assertThat(texts()).containsExactly("active: The database does not store.");
  }

  @Test
  void aClockThatJumpsHasAnAlarm() {
    check(2, List.of());
    monotonic = monotonic.minusSeconds(3);
    check(1, List.of());
    assertThat(texts())
        .containsExactly("active: The clock of this machine has jumped forward by 3.0 s.");
    check(12, List.of());
    monotonic = monotonic.plusMillis(2_001);
    check(1, List.of());
    monotonic = monotonic.plusMillis(1_999);
    check(12, List.of());
    assertThat(texts())
        .containsExactly(
            "past: The clock of this machine has jumped back by 2.0 s.",
            "past: The clock of this machine has jumped forward by 3.0 s.");
  }

  @Test
  void theClockIsComparedWithTheDatabase() {
    ahead = Duration.ofMillis(-2_500);
    check(2, List.of());
    assertThat(texts())
        .containsExactly(
            "active: The clock of this machine is 2.5 s ahead of the clock of the database.");
    ahead = Duration.ofMillis(100);
    check(15, List.of());
    ahead = Duration.ofSeconds(4);
    check(5, List.of());
    assertThat(texts().getFirst())
        .isEqualTo("active: The clock of this machine is 4.0 s behind the clock of the database.");
  }

  @Test
  void aNodeThatIsGoneHasAnAlarmUntilItIsBackOrForgotten() {
    cluster = new ClusterFacts(List.of("n3"), true, 256, 0, Map.of());
    check(12, List.of());
    assertThat(texts()).isEmpty();
    check(1, List.of());
    assertThat(texts()).containsExactly("active: The node n3 is gone since 2026-01-01T00:00:05Z.");
    cluster = new ClusterFacts(List.of(), true, 256, 0, Map.of());
    check(2 + 12, List.of());
    assertThat(texts()).singleElement().asString().startsWith("past");
  }

  @Test
  void aNodeThatIsCutOffAndMissingCopiesHaveAlarms() {
    cluster = new ClusterFacts(List.of(), false, 256, 100, Map.of());
    check(10, List.of());
    cluster = new ClusterFacts(List.of(), true, 256, 100, Map.of());
    check(20, List.of());
    assertThat(texts())
        .containsExactly(
            "active: 100 of 256 parts of the cluster have no copy at another node since 2026-01-01T00:00:05Z.");
    cluster = new ClusterFacts(List.of(), false, 256, 100, Map.of());
    check(17, List.of());
    assertThat(texts().getFirst())
        .isEqualTo(
            "active: This node is cut off since 2026-01-01T00:02:35Z: other nodes are lost, and"
                + " there are too few to decide.");
  }

  @Test
  void aNodeThatAnswersLateHasAnAlarm() {
    cluster =
        new ClusterFacts(
            List.of(), true, 256, 0, Map.of("n2", Duration.ofSeconds(7), "n3", Duration.ZERO));
    check(3, List.of());
    assertThat(texts())
        .containsExactly(
            "active: The node n2 has not answered for 7.0 s: stanzas and copies for it wait.");
  }

  @Test
  void whatWasKnownCountsWhileTheDatabaseDoesNotAnswer() {
    cluster = new ClusterFacts(List.of("n3"), true, 256, 0, Map.of());
    check(14, List.of());
    failing = true;
    check(20, List.of());
    assertThat(texts()).singleElement().asString().startsWith("active: The node n3 is gone");
  }

  @Test
  void theOldestPastOnesGo() {
    for (int i = 0; i < AlarmWatch.MOST + 3; i++) {
      Alarm each =
          Alarm.of(
                  "",
                  new Condition(Condition.Kind.HEAP, "", true, "t" + i),
                  Instant.ofEpochSecond(i))
              .end(Instant.ofEpochSecond(i + 1));
      stores
          .keyValues(AlarmWatch.STORE)
          .put(Jid.of(null, "zonda.invalid", null), each.id(), each.write());
    }
    check(1, disk(4));
    assertThat(watch.all()).hasSize(AlarmWatch.MOST);
    assertThat(Stream.of("t0", "t3"))
        .noneMatch(text -> watch.all().stream().anyMatch(each -> each.text().equals(text)));
  }
}
