package im.zonda.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.recording.RecordingOperations;
import im.zonda.operation.Grant;
import im.zonda.operation.Role;
import im.zonda.testkit.FakeClock;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The page of the recordings: each is downloaded as the file that it is.
@Timeout(60)
class RecordingPageTest {
  private static final String NAME = "2026-11-28T020000Z.jfr";

  @TempDir private Path folder;

  @Test
  void recordingIsDownloadedAsItIs() throws Exception {
    Path recordings = Files.createDirectories(folder.resolve("data/recordings"));
    // More than a part, of an odd length.
    String content = "FLR" + "0123456789".repeat(20_000);
    Files.writeString(recordings.resolve(NAME), content);
    try (RunningConsole running = new RunningConsole(folder)) {
      running
          .server
          .server()
          .catalogue()
          .offer(
              new RecordingOperations(folder.resolve("data"), () -> 0, new FakeClock()).offers());
      RunningConsole.Window reader =
          running.signedIn("reader", new Grant(Role.READ_ONLY, null, null));

      assertThat(reader.get("/admin/recordings")).contains(NAME, "server.recording-file?name=");
      String file = reader.get("/admin/do/server.recording-file?name=" + NAME);
      assertThat(RunningConsole.status(file)).isEqualTo(200);
      assertThat(file)
          .contains("Content-Type: application/octet-stream")
          .contains("attachment; filename=\"" + NAME + "\"")
          .contains("FLR0123456789");
      assertThat(file.replaceAll("\r\n[0-9a-f]+\r\n", "")).contains(content);
      assertThat(RunningConsole.status(reader.get("/admin/do/server.recording-file?name=..")))
          .isNotEqualTo(200);
    }
  }
}
