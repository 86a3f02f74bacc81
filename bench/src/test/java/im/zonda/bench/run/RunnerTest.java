package im.zonda.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.bench.load.Latencies;
import im.zonda.bench.load.Options;
import im.zonda.bench.load.Scenario;
import im.zonda.bench.result.HistogramText;
import im.zonda.bench.result.Result;
import im.zonda.bench.result.ResultJson;
import im.zonda.bench.scenario.chat.ChatScenario;
import im.zonda.bench.target.Target;
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
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Whole runs against a server whose delays are known.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RunnerTest {
  private static final int RATE = 500;
  private static final double SECONDS = 0.2;

  @TempDir private Path folder;

  private List<Target.TargetProcess> serverProcesses = List.of();

  private Result run(FakeServer server, int processes, Map<String, String> given)
      throws IOException, InterruptedException {
    Scenario chat = new ChatScenario();
    Map<String, String> values =
        new HashMap<>(
            Map.of(
                "pairs", "5",
                "rate", Integer.toString(RATE),
                "seconds", Double.toString(SECONDS),
                "warm-up", "0",
                "mechanism", "PLAIN"));
    values.putAll(given);
    Options options = CommonOptions.complete(chat, values);
    RunSettings settings = new RunSettings(processes, "secret", List.of("zonda"), folder);
    Progress progress = new Progress(new PrintWriter(new StringWriter()), false, Duration.ZERO);
    return new Runner(chat, options, settings, () -> Instant.EPOCH, progress)
        .run(new FakeTarget(server.endpoint(), serverProcesses));
  }

  private static Histogram times(Result result, String tag) {
    return result.latencies().stream()
        .filter(each -> each.tag().equals(tag))
        .map(each -> HistogramText.histogram(each.histogram()))
        .findFirst()
        .orElseThrow();
  }

  /// The least time is the server's delay, whatever else this machine does.
  @Test
  void theDelayOfTheServerComesOut() throws Exception {
    try (FakeServer server = new FakeServer(100)) {
      Result result = run(server, 1, Map.of("arrivals", "random"));

      Histogram delivery = times(result, Latencies.DELIVERY);
      assertThat(delivery.getMinValue()).isBetween(100_000L, 199_999L);
      assertThat(times(result, Latencies.SERVICE).getMinValue()).isBetween(100_000L, 199_999L);
      assertThat(delivery.getTotalCount())
          .isEqualTo(times(result, Latencies.SEND_DELAY).getTotalCount());
      assertThat(result.verdicts().getFirst().met()).isTrue();
      assertThat(result.verdicts().getFirst().sentence()).contains("each once");
    }
  }

  /// A server that does nothing for half a second is late with all that is due meanwhile: 200
  /// messages by 100 ms or more, where a client that waits for an answer would see one.
  @Test
  void aServerThatStopsIsSeenByAllThatWasDueMeanwhile() throws Exception {
    try (FakeServer server = new FakeServer(1)) {
      server.stopAfter(10, 500);

      Histogram delivery = times(run(server, 1, Map.of("seconds", "0.6")), Latencies.DELIVERY);

      assertThat(delivery.getTotalCount()).isEqualTo(300);
      assertThat(delivery.getMaxValue()).isGreaterThanOrEqualTo(490_000);
      assertThat(delivery.getCountBetweenValues(100_000, Long.MAX_VALUE))
          .isGreaterThanOrEqualTo(195);
    }
  }

  @Test
  void lostMessagesAreCounted() throws Exception {
    try (FakeServer server = new FakeServer(0)) {
      server.loseAfter(60);

      Result result = run(server, 1, Map.of("drain", "0.2"));

      assertThat(result.verdicts().getFirst().met()).isFalse();
      assertThat(result.verdicts().getFirst().sentence()).contains("40 were lost");
    }
  }

  @Test
  void processesShareTheLoadAndTheirMeasurementsAreMerged() throws Exception {
    try (FakeServer server = new FakeServer(20)) {
      Result result = run(server, 2, Map.of());

      Histogram delivery = times(result, Latencies.DELIVERY);
      assertThat(delivery.getTotalCount()).isEqualTo((long) (RATE * SECONDS));
      assertThat(delivery.getMinValue()).isGreaterThanOrEqualTo(20_000);
      assertThat(result.run().processes()).isEqualTo(2);
      assertThat(result.verdicts().getFirst().met()).isTrue();
    }
  }

  @Test
  void theFilesHoldWhatWasMeasured() throws Exception {
    try (FakeServer server = new FakeServer(0)) {
      Result result = run(server, 1, Map.of());

      assertThat(ResultJson.read(folder.resolve("run.json")).run()).isEqualTo(result.run());
      assertThat(Files.readString(folder.resolve("seconds.tsv")))
          .startsWith("second\tdelivery-p50\tdelivery-p99\tdelivery-p999\tdelivery-max\t");
      long logged = 0;
      try (HistogramLogReader log =
          new HistogramLogReader(folder.resolve("latency.hlog").toFile())) {
        for (var next = log.nextIntervalHistogram();
            next != null;
            next = log.nextIntervalHistogram()) {
          if (Latencies.SEND_DELAY.equals(next.getTag())) {
            logged += ((Histogram) next).getTotalCount();
          }
        }
      }
      assertThat(logged).isEqualTo((long) (RATE * SECONDS));
    }
  }

  @Test
  void aServerThatIsNotThereIsAnErrorInWords() throws Exception {
    FakeServer server = new FakeServer(0);
    server.close();
    assertThatThrownBy(() -> run(server, 1, Map.of()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("could not log in")
        .hasMessageContaining("refused");
  }

  /// The load is to take an hour.
  @Test
  void aServerThatEndsUnderLoadEndsTheRun() throws Exception {
    Process process = new ProcessBuilder("cat").start(); // ends when its input does
    serverProcesses = List.of(new Target.TargetProcess("server", process.pid()));
    process.getOutputStream().close();
    try (FakeServer server = new FakeServer(0)) {
      assertThatThrownBy(() -> run(server, 1, Map.of("seconds", "3600")))
          .isInstanceOf(IOException.class)
          .hasMessage("the process of the server has ended under load");
    }
  }
}
