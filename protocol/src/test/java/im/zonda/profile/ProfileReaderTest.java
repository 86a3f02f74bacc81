package im.zonda.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import im.zonda.jid.Jid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileReaderTest {
  /// Enough for hundreds of samples, whatever the machine.
  private static final int ADDRESSES = 400_000;

  @Test
  void recordingOfAddressesSaysAddresses(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("a.jfr");
    int length = 0;
    try (Recording recording = new Recording()) {
      recording.enable("jdk.CPUTimeSample").with("throttle", "1ms").withStackTrace();
      recording.enable("jdk.ExecutionSample").with("period", "1 ms").withStackTrace();
      recording.enable("jdk.ObjectAllocationSample").with("throttle", "1000/s").withStackTrace();
      recording.enable("jdk.ExceptionStatistics");
      recording.enable(StanzaCount.class);
      recording.enable(ThreadTime.class);
      recording.start();
      for (int i = 0; i < ADDRESSES; i++) {
        length += Jid.of("someone" + i + "@example.org/phone").toString().length();
      }
      new StanzaCount(4_000).commit();
      new ThreadTime(ThreadKind.COLLECTOR, 1_000_000).commit();
      new ThreadTime(ThreadKind.COMPILER, 2_000_000).commit();
      recording.stop();
      recording.dump(file);
    }

    Profile profile = ProfileReader.read(file);

    assertThat(length).isPositive();
    assertThat(profile.samples()).isPositive();
    assertThat(profile.share(Category.ADDRESSES)).isGreaterThan(profile.share(Category.NETWORK));
    assertThat(profile.share(Category.COLLECTOR)).isPositive();
    assertThat(profile.shares().values().stream().mapToDouble(Double::doubleValue).sum())
        .isCloseTo(1, within(1e-6));
    assertThat(profile.allocation().sites())
        .anyMatch(each -> each.method().startsWith("im.zonda.jid.") && each.share() > 0);
    assertThat(profile.stanzas()).isEqualTo(4_000);
    assertThat(ProfileText.of(profile))
        .contains("  addresses ")
        .contains("  garbage collector ")
        .contains("Network and XML together: 0.0 %, without the compilers 0.0 %;")
        .contains("Stanzas: 4000.");
  }

  /// An event outside of the part, and what the file says of threads and stanzas, do not count.
  @Test
  void partOfARecordingIsRead(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("a.jfr");
    Instant middle;
    try (Recording recording = new Recording()) {
      RecordingSettings.THROWN.keySet().forEach(name -> recording.enable(name).withStackTrace());
      recording.enable(StanzaCount.class);
      recording.enable(ThreadTime.class);
      recording.start();
      Exception early = new IllegalStateException("early");
      assertThat(early).hasMessage("early");
      middle = Instant.now();
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> Jid.of("@")).isInstanceOf(RuntimeException.class);
      }
      new StanzaCount(4_000).commit();
      new ThreadTime(ThreadKind.COLLECTOR, 1_000_000).commit();
      recording.stop();
      recording.dump(file);
    }
    Map<ThreadKind, Long> threads = Map.of(ThreadKind.COMPILER, 2_000_000L);
    Instant end = middle.plusSeconds(60);

    Profile profile = ProfileReader.read(file, new RecordedPart(middle, end, threads, 7L));

    assertThat(profile.stanzas()).isEqualTo(7);
    assertThat(profile.share(Category.COMPILER)).isEqualTo(1);
    assertThat(profile.time()).hasSeconds(60);
    assertThat(profile.exceptions().sites())
        .noneMatch(each -> each.method().startsWith("IllegalStateException"))
        .anyMatch(each -> each.method().contains(" in im.zonda.jid."));
  }

  @Test
  void settingsAreAFileForJcmd() {
    assertThat(RecordingSettings.text(Map.of("jdk.X", Map.of("period", "1 s"))))
        .contains(
            """
              <event name="jdk.X">
                <setting name="enabled">true</setting>
                <setting name="period">1 s</setting>
                <setting name="stackTrace">false</setting>
              </event>
            """);
  }

  @Test
  void fileThatIsNoRecordingIsRefused(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("a.jfr"), "no recording");

    assertThatThrownBy(() -> ProfileReader.read(file)).isInstanceOf(IOException.class);
  }

  @Test
  void kernelSaysWhatTheCollectorTook(@TempDir Path tasks) throws IOException {
    write(tasks, "1", "G1 Conc#0", 5, 2);
    write(tasks, "2", "C2 CompilerThre", 100, 0);
    write(tasks, "3", "odd) name (", 3, 4);
    ThreadTimes before = ThreadTimes.read(tasks);
    write(tasks, "1", "G1 Conc#0", 8, 2);
    write(tasks, "3", "odd) name (", 3, 5);
    write(tasks, "4", "VM Thread", 1, 1);

    assertThat(ThreadTimes.read(tasks).since(before))
        .containsEntry(ThreadKind.COLLECTOR, 30_000_000L)
        .containsEntry(ThreadKind.COMPILER, 0L)
        .containsEntry(ThreadKind.JAVA, 10_000_000L)
        .containsEntry(ThreadKind.MACHINE, 20_000_000L);
    assertThat(ThreadTimes.read(tasks.resolve("missing")).threads()).isEmpty();
  }

  private static void write(Path tasks, String number, String name, int user, int system)
      throws IOException {
    Path stat = Files.createDirectories(tasks.resolve(number)).resolve("stat");
    Files.writeString(
        stat,
        number + " (" + name + ") S 1 1 1 0 -1 4194368 0 0 0 0 " + user + " " + system + " 0 0");
  }
}
