package im.zonda.bench.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.bench.load.Load;
import im.zonda.bench.load.Plan;
import im.zonda.bench.result.Result;
import im.zonda.bench.target.Target;
import im.zonda.bench.xmpp.Endpoint;
import im.zonda.profile.Profile;
import im.zonda.profile.ProfileReader;
import im.zonda.profile.RecordedPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RecordedTargetTest {
  private static final Plan PLAN = new Plan(1, 0, false, 1, Duration.ofSeconds(1), "one client");

  @TempDir private Path folder;

  /// A server that is there already.
  private record There(List<TargetProcess> processes) implements Target {
    @Override
    public void start(Plan plan) {
      // The process is there.
    }

    @Override
    public List<Endpoint> endpoints() {
      return List.of();
    }

    @Override
    public String service(String kind) {
      return kind;
    }

    @Override
    public @Nullable Path gcLog() {
      return null;
    }

    @Override
    public Result.Subject subject() {
      return new Result.Subject("there", "", "", List.of());
    }

    @Override
    public void close() {
      // The process stays.
    }
  }

  private RecordedTarget target(long pid) {
    return new RecordedTarget(
        new There(List.of(new Target.TargetProcess("server", pid))),
        folder.resolve("server.jfr"),
        InstantSource.system(),
        true);
  }

  /// This process records itself.
  @Test
  void theMeasuredPartIsKept() throws IOException {
    RecordedTarget target = target(ProcessHandle.current().pid());
    target.start(PLAN);
    assertThat(new IllegalStateException()).hasNoCause();
    target.phaseBegins("warm-up", System.nanoTime());
    target.phaseBegins(Load.MEASURE, System.nanoTime());
    // Made for the recording, which has to show where.
    assertThat(new UnsupportedOperationException("for the recording")).hasNoCause();
    target.measureEnds();

    RecordedPart part = target.finish(7L);
    Profile profile = ProfileReader.read(target.file(), part);

    assertThat(profile.stanzas()).isEqualTo(7);
    assertThat(profile.exceptions().sites())
        .extracting(Profile.Part::method)
        .anyMatch(site -> site.startsWith("UnsupportedOperationException in im.zonda.bench."))
        .noneMatch(site -> site.startsWith("IllegalStateException"));
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(folder.resolve("server.jfr"));
    }
    assertThatThrownBy(() -> target.finish(7L)).isInstanceOf(IOException.class);
  }

  @Test
  void anotherProgramIsNotSignalled() throws Exception {
    Process cat = new ProcessBuilder("cat").start();
    try {
      RecordedTarget target = target(cat.pid());

      assertThatThrownBy(() -> target.start(PLAN))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no virtual machine of Java");
      assertThat(cat.isAlive()).isTrue();
    } finally {
      cat.destroy();
    }
  }

  @Test
  void aServerWhoseProcessIsUnknownHasNoProfile() {
    RecordedTarget target =
        new RecordedTarget(
            new There(List.of()), folder.resolve("server.jfr"), InstantSource.system(), true);

    assertThatThrownBy(() -> target.start(PLAN)).hasMessageContaining("--pid");
  }

  @Test
  void callsOfClocksAreTimedInAnotherProcess() throws IOException {
    Map<String, Double> figures =
        ClockCalls.measure(List.of("-XX:TieredStopAtLevel=1")).stream()
            .collect(Collectors.toMap(Result.Figure::name, Result.Figure::value));

    assertThat(figures).containsOnlyKeys("clock-call", "nano-clock-call");
    assertThat(figures.values()).allMatch(nanos -> nanos > 0);
  }
}
