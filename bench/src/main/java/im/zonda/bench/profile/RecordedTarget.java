package im.zonda.bench.profile;

import im.zonda.bench.load.Load;
import im.zonda.bench.load.Plan;
import im.zonda.bench.target.Target;
import im.zonda.bench.target.WrappedTarget;
import im.zonda.profile.RecordedPart;
import im.zonda.profile.RecordingSettings;
import im.zonda.profile.ThreadKind;
import im.zonda.profile.ThreadTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/// A target whose first process is recorded. The recording begins before the load, so that starting
/// it disturbs nothing; what was recorded in the measured phase is kept.
final class RecordedTarget extends WrappedTarget {
  private static final String NAME = "zonda-bench";

  /// More often than in a recording of `zonda record`, since a run is short. The kernel may make it
  /// less; each sample says for how much it stands.
  private static final String SAMPLED = "2ms";

  private static final String MOST_BYTES = "512m";

  private final Path file;
  private final InstantSource clock;
  private final boolean thrown;
  private @Nullable Jcmd server;
  private @Nullable Part begun;
  private @Nullable Part ended;

  /// What is known at an end of the measured phase.
  private record Part(Instant time, ThreadTimes threads) {}

  /// @param file where the recording is kept
  /// @param thrown whether it says where exceptions are made, which costs a little for each
  RecordedTarget(Target target, Path file, InstantSource clock, boolean thrown) {
    super(target);
    this.file = file.toAbsolutePath();
    this.clock = clock;
    this.thrown = thrown;
  }

  @Override
  public void start(Plan plan) throws IOException {
    super.start(plan);
    if (processes().isEmpty()) {
      throw new IOException("a profile needs the process of the server: give --pid");
    }
    Jcmd jcmd = Jcmd.of(processes().getFirst().pid());
    Map<String, Map<String, String>> events = new HashMap<>(RecordingSettings.USUAL);
    events.put(RecordingSettings.CPU_SAMPLE, Map.of("throttle", SAMPLED, "stackTrace", "true"));
    if (thrown) {
      events.putAll(RecordingSettings.THROWN);
    }
    Path settings = Files.createTempFile("zonda-bench-", ".jfc");
    try {
      Files.writeString(settings, RecordingSettings.text(events));
      String said =
          jcmd.run(
              "JFR.start",
              "name=" + NAME,
              "settings=" + settings.toAbsolutePath(),
              "disk=true",
              "maxsize=" + MOST_BYTES);
      if (!said.contains("Started recording")) {
        throw new IOException("the recording has not started: " + said.strip());
      }
      server = jcmd;
    } finally {
      Files.deleteIfExists(settings);
    }
  }

  private Part now(Instant time) {
    long pid = processes().getFirst().pid();
    return new Part(time, ThreadTimes.read(Path.of("/proc", Long.toString(pid), "task")));
  }

  @Override
  public void phaseBegins(String name, long nanos) {
    if (name.equals(Load.MEASURE)) {
      begun = now(clock.instant().plusNanos(Math.max(0, nanos - System.nanoTime())));
    }
    super.phaseBegins(name, nanos);
  }

  @Override
  public void measureEnds() throws IOException {
    ended = now(clock.instant());
    super.measureEnds();
  }

  /// Ends the recording and keeps the measured part of it.
  ///
  /// @return that part
  /// @throws IOException if there is none
  RecordedPart finish(@Nullable Long stanzas) throws IOException {
    Jcmd jcmd = server;
    Part from = begun;
    Part to = ended;
    if (jcmd == null || from == null || to == null) {
      throw new IOException("nothing was measured that could have been recorded");
    }
    server = null;
    Path folder = Files.createDirectories(file.resolveSibling(""));
    Path whole = Files.createTempFile(folder, "whole-", ".jfr");
    try {
      String _ = jcmd.run("JFR.stop", "name=" + NAME, "filename=" + whole);
      Map<ThreadKind, Long> threads = to.threads().since(from.threads());
      RecordedPart part = new RecordedPart(from.time(), to.time(), threads, stanzas);
      try (RecordingFile recording = new RecordingFile(whole)) {
        recording.write(file, event -> part.contains(event.getStartTime()));
      }
      return part;
    } finally {
      Files.deleteIfExists(whole);
    }
  }

  /// Where the recording is kept.
  Path file() {
    return file;
  }

  /// Ends the recording without keeping it.
  void discard() throws IOException {
    Jcmd jcmd = server;
    server = null;
    if (jcmd != null) {
      String _ = jcmd.run("JFR.stop", "name=" + NAME);
    }
  }
}
