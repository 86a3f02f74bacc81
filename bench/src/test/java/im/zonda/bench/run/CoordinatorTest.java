package im.zonda.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.bench.load.RecordedLatencies;
import im.zonda.bench.result.HistogramText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CoordinatorTest {
  private final List<List<String>> told = List.of(new ArrayList<>(), new ArrayList<>());
  private final List<String> observed = new ArrayList<>();
  private final Measurements measurements = new Measurements();
  private final BlockingQueue<Coordinator.Said> said = new LinkedBlockingQueue<>();

  private final Coordinator.Observer observer =
      new Coordinator.Observer() {
        @Override
        public void phaseBegins(String name, long nanos) {
          observed.add(name + " begins");
        }

        @Override
        public void measureEnds() {
          observed.add("measure ends");
        }

        @Override
        public void progress(String what, long done, long total) {
          observed.add(what + " " + done + " of " + total);
        }

        @Override
        public void tick() {}

        @Override
        public double serverMicros() {
          return Double.NaN;
        }
      };

  private void say(int worker, Line line) {
    said.add(new Coordinator.Said(worker, line));
  }

  private void run() throws IOException, InterruptedException {
    List<Link> workers = told.stream().<Link>map(lines -> line -> lines.add(line.kind())).toList();
    new Coordinator(workers, said, measurements, observer, 0).run();
  }

  private static Line second(long at, long micros, long sent) {
    Histogram times = RecordedLatencies.empty();
    times.recordValue(micros);
    return Line.of(Line.SECOND)
        .with("at", at)
        .with("operations", 1)
        .with("latencies", Map.of("delivery", HistogramText.of(times)))
        .with("counters", Map.of("sent", sent));
  }

  private static Line done(long sent) {
    return Line.of(Line.DONE)
        .with("totals", Map.of("sent", sent))
        .with("measured", Map.of("sent", sent))
        .with("cpu", 7)
        .with("problems", Map.of("something", 1));
  }

  @Test
  void aPhaseBeginsWhenAllHaveComeToIt() throws Exception {
    say(0, Line.of(Line.PHASE).with("name", "measure"));
    say(0, Line.of(Line.PROGRESS).with("done", 1).with("total", 9).with("what", "users"));
    say(1, Line.of(Line.PROGRESS).with("done", 2).with("total", 9).with("what", "users"));
    say(1, Line.of(Line.PHASE).with("name", "measure"));
    say(0, done(1));
    say(1, done(2));

    run();

    assertThat(observed)
        .containsExactly("users 1 of 9", "users 3 of 9", "measure begins", "measure ends");
    assertThat(told).allMatch(lines -> lines.equals(List.of(Line.BEGIN)));
  }

  @Test
  void allAreToldThatTheServerIsWarm() throws Exception {
    say(0, Line.of(Line.WARMING));
    say(1, Line.of(Line.WARMING));
    say(0, Line.of(Line.PROGRESS).with("done", 1).with("total", 1).with("what", "x"));
    List<Link> workers =
        List.of(
            line -> {
              told.getFirst().add(line.kind());
              say(0, done(0));
            },
            line -> {
              told.getLast().add(line.kind());
              say(1, done(0));
            });

    new Coordinator(workers, said, measurements, observer, 0).run();

    assertThat(told).allMatch(lines -> lines.equals(List.of(Line.WARM)));
  }

  @Test
  void whatWorkersMeasureIsMerged() throws Exception {
    say(0, second(0, 10, 3));
    say(1, second(0, 30, 4));
    say(1, second(1, 20, 5));
    say(0, second(-1, 50, 0));
    say(0, done(3));
    say(1, done(9));

    run();

    Histogram all = Objects.requireNonNull(measurements.latencies().get("delivery"));
    assertThat(all.getTotalCount()).isEqualTo(4);
    assertThat(all.getMaxValue()).isEqualTo(50);
    assertThat(measurements.seconds()).hasSize(2);
    assertThat(measurements.seconds().getFirst().histogram("delivery").getTotalCount())
        .isEqualTo(2);
    assertThat(measurements.seconds().getFirst().counters()).containsEntry("sent", 7L);
    assertThat(measurements.totals()).containsEntry("sent", 12L);
    assertThat(measurements.counters()).containsEntry("sent", 12L);
    assertThat(measurements.cpuMicros()).isEqualTo(14);
    assertThat(measurements.problems()).containsEntry("something", 2L);
  }

  @Test
  void theFailureOfOneEndsTheRun() {
    say(0, Line.of(Line.FAILED).with("text", "no server").with("problems", Map.of()));
    assertThatThrownBy(this::run).hasMessage("no server");
  }

  @Test
  void workersThatWaitForDifferentPhasesAreAnError() {
    say(0, Line.of(Line.PHASE).with("name", "a"));
    say(1, Line.of(Line.PHASE).with("name", "b"));
    assertThatThrownBy(this::run).hasMessageContaining("different phases");
  }
}
