package im.zonda.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.bench.load.Latencies;
import im.zonda.bench.load.Options;
import im.zonda.bench.load.Scenario;
import im.zonda.bench.report.Figures;
import im.zonda.bench.result.HistogramText;
import im.zonda.bench.result.Result;
import im.zonda.bench.scenario.occupant.ReplayTags;
import im.zonda.bench.scenario.replay.ReplayScenario;
import im.zonda.bench.scenario.rooms.RoomsScenario;
import im.zonda.bench.xmpp.FakeServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// Whole runs in rooms of a server whose delays and faults are known.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RoomRunsTest {
  /// Two players in a room for the whole time, who get 10 copies; one who comes later, when the
  /// last three messages may be over; one who leaves; and a direct message.
  private static final String TRACE =
      """
      #zonda-trace=1
      #length=300
      0 login a - -
      0 join a r -
      0 login b - -
      0 join b r -
      0 login d - -
      0 join d s -
      10 say a r 30
      20 say b r 5
      50 login c - -
      50 join c r -
      60 dm a b 40
      200 say a r 70
      210 say b r 30
      220 say a r 30
      250 leave d s -
      250 logout d - -
      """;

  @TempDir private Path folder;

  private Result run(Scenario scenario, FakeServer server, int processes, Map<String, String> given)
      throws IOException, InterruptedException {
    Map<String, String> values = new HashMap<>(Map.of("warm-up", "0", "mechanism", "PLAIN"));
    values.putAll(given);
    Options options = CommonOptions.complete(scenario, values);
    RunSettings settings = new RunSettings(processes, "secret", List.of("zonda"), folder);
    Progress progress = new Progress(new PrintWriter(new StringWriter()), false, Duration.ZERO);
    return new Runner(scenario, options, settings, () -> Instant.EPOCH, progress)
        .run(new FakeTarget(server.endpoint()));
  }

  private Result replay(FakeServer server, int processes) throws Exception {
    Path trace = Files.writeString(folder.resolve("trace"), TRACE.replace(' ', '\t'));
    return run(
        new ReplayScenario(),
        server,
        processes,
        Map.of("trace", trace.toString(), "seconds", "0.3", "late", "5000", "drain", "0.3"));
  }

  private static Histogram times(Result result, String tag) {
    return result.latencies().stream()
        .filter(each -> each.tag().equals(tag))
        .map(each -> HistogramText.histogram(each.histogram()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aTraceIsRepeatedAndEachCopyIsTimed() throws Exception {
    try (FakeServer server = new FakeServer(20)) {
      Result result = replay(server, 1);

      assertThat(result.verdicts().getFirst().met())
          .as(result.verdicts().getFirst().sentence())
          .isTrue();
      assertThat(times(result, Latencies.DELIVERY).getTotalCount()).isBetween(10L, 13L);
      assertThat(times(result, Latencies.DELIVERY).getMinValue()).isGreaterThanOrEqualTo(20_000);
      assertThat(times(result, ReplayTags.LAST_RECEIVER).getTotalCount()).isEqualTo(5);
      assertThat(times(result, ReplayTags.DIRECT).getTotalCount()).isEqualTo(1);
      assertThat(Figures.value(result, "largest-room")).isEqualTo(3);
    }
  }

  /// Starts two virtual machines; what they do with last receivers is in [LastPartsTest] too.
  @Test
  @EnabledIfSystemProperty(named = "zonda.test.all", matches = "true")
  void theLastReceiverMayBeOfAnotherProcess() throws Exception {
    try (FakeServer server = new FakeServer(20)) {
      Result result = replay(server, 2);

      assertThat(result.run().processes()).isEqualTo(2);
      assertThat(result.verdicts().getFirst().met())
          .as(result.verdicts().getFirst().sentence())
          .isTrue();
      assertThat(times(result, Latencies.DELIVERY).getTotalCount()).isBetween(10L, 13L);
      Histogram last = times(result, ReplayTags.LAST_RECEIVER);
      assertThat(last.getTotalCount()).isEqualTo(5);
      assertThat(last.getMaxValue()).isEqualTo(times(result, Latencies.DELIVERY).getMaxValue());
    }
  }

  @Test
  void aCopyThatIsLostIsFound() throws Exception {
    try (FakeServer server = new FakeServer(0)) {
      server.lose(1);

      Result result = replay(server, 1);

      assertThat(result.verdicts().getFirst().met()).isFalse();
      assertThat(Figures.value(result, "lost")).isEqualTo(1);
    }
  }

  @Test
  void aCopyThatComesTwiceIsFound() throws Exception {
    try (FakeServer server = new FakeServer(0)) {
      server.deliverTwice(1);

      Result result = replay(server, 1);

      assertThat(result.verdicts().getFirst().met()).isFalse();
      assertThat(Figures.value(result, "doubled")).isEqualTo(1);
      assertThat(Figures.value(result, "lost")).isZero();
    }
  }

  @Test
  void roomsHaveTheTimesOfOthersInAStormOfEntries() throws Exception {
    try (FakeServer server = new FakeServer(1)) {
      Result result =
          run(
              new RoomsScenario(),
              server,
              1,
              Map.ofEntries(
                  Map.entry("occupants", "12"),
                  Map.entry("rooms", "3"),
                  Map.entry("copies", "400"),
                  Map.entry("storm", "10"),
                  Map.entry("storm-at", "0.1"),
                  Map.entry("storm-seconds", "0.1"),
                  Map.entry("seconds", "0.3"),
                  Map.entry("late", "5000"),
                  Map.entry("drain", "0.5")));

      assertThat(result.verdicts().getFirst().met())
          .as(result.verdicts().getFirst().sentence())
          .isTrue();
      assertThat(times(result, Latencies.DELIVERY).getTotalCount()).isEqualTo(120);
      assertThat(times(result, "during-storm").getTotalCount()).isEqualTo(40);
      assertThat(times(result, ReplayTags.JOIN).getTotalCount()).isBetween(1L, 9L);
    }
  }
}
