package im.zonda.bench.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir Path folder;

  private static ProcessBuilder shell(String script) {
    return new ProcessBuilder("sh", "-c", script);
  }

  private String failure(String script, Duration limit) throws IOException {
    try (ChildProcess child =
        ChildProcess.start("server", shell(script), folder.resolve("output"))) {
      return String.valueOf(
          assertThrows(
                  IOException.class,
                  () -> child.awaitReady(() -> child.text().contains("ready"), limit))
              .getMessage());
    }
  }

  @Test
  void aProcessThatIsReadyIsEndedByItsNumber() throws IOException {
    ChildProcess child =
        ChildProcess.start(
            "server", shell("echo is ready; exec sleep 60"), folder.resolve("output"));
    child.awaitReady(() -> child.text().contains("ready"), LONG);
    ProcessHandle handle = ProcessHandle.of(child.pid()).orElseThrow();
    assertTrue(handle.isAlive());
    child.close();
    assertFalse(handle.isAlive());
    child.close();
  }

  @Test
  void aProcessThatStandsStillIsEndedToo() throws IOException {
    ChildProcess child =
        ChildProcess.start("server", shell("exec sleep 60"), folder.resolve("output"));
    ProcessHandle handle = ProcessHandle.of(child.pid()).orElseThrow();
    child.stop();
    child.close();
    assertFalse(handle.isAlive());
  }

  @Test
  void aProcessThatEndsAtItsStartSaysWhatItHasWritten() throws IOException {
    assertEquals(
        """
        server has ended with code 3 at its start; the end of what it has written:
          one
          two\
        """,
        failure("echo one; echo two >&2; exit 3", LONG));
    assertEquals(
        "server has ended with code 4 at its start; it has written nothing",
        failure("exit 4", LONG));
  }

  @Test
  void aProcessThatIsNotReadyInTimeIsGivenUp() throws IOException {
    assertEquals(
        "server is not ready after 0 s; it has written nothing",
        failure("exec sleep 60", Duration.ofMillis(1)));
  }

  @Test
  void aProgramIsRunToItsEnd() throws IOException {
    Path output = folder.resolve("output");
    assertEquals("done\n", ChildProcess.run("program", shell("echo done"), output, LONG));
    assertEquals(
        "program has ended with code 1; the end of what it has written:\n  no",
        assertThrows(
                IOException.class,
                () -> ChildProcess.run("program", shell("echo no; exit 1"), output, LONG))
            .getMessage());
    assertEquals(
        "program has not ended after 0 s; it has written nothing",
        assertThrows(
                IOException.class,
                () ->
                    ChildProcess.run(
                        "program", shell("exec sleep 60"), output, Duration.ofMillis(1)))
            .getMessage());
  }

  @Test
  void aTemporaryFolderGoesWithItsFiles() throws IOException {
    TemporaryFolder temporary = new TemporaryFolder();
    Path file = temporary.write("settings", "hosts = []");
    assertEquals(List.of("hosts = []"), Files.readAllLines(file));
    temporary.close();
    assertFalse(Files.exists(temporary.path()));
    temporary.close();
  }
}
