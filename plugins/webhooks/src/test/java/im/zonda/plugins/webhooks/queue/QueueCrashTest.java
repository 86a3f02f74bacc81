package im.zonda.plugins.webhooks.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process that writes a queue is killed.
class QueueCrashTest {
  private static final int ROUNDS = 4;

  @TempDir Path folder;

  @Test
  void nothingDurableIsLostAndNothingComesTwice() throws Exception {
    List<Integer> delivered = new ArrayList<>();
    for (int round = 1; round <= ROUNDS; round++) {
      int flushed = writeAndKill(delivered.size() + 1, 20 * round);
      try (EventQueue queue =
          EventQueue.open(
              folder.resolve("queue"),
              new EventQueue.Limits(64L << 20, Duration.ofMillis(1), Duration.ofDays(1)),
              (events, reason) -> assertThat(events).as(reason).isZero())) {
        while (queue.size() > 0) {
          Batch batch = queue.take(1_000, 1 << 20, Duration.ZERO);
          assertThat(batch.sequence()).isEqualTo(delivered.size() + 1L);
          batch.events().forEach(each -> delivered.add((int) each.time().toEpochMilli()));
          queue.done(batch);
        }
      }
      assertThat(delivered).hasSizeGreaterThanOrEqualTo(flushed);
      assertThat(delivered).isEqualTo(IntStream.rangeClosed(1, delivered.size()).boxed().toList());
    }
  }

  /// @return the number of the last event of which the process has said that it is durable
  private int writeAndKill(int first, int lines) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                QueueWriter.class.getName(),
                folder.resolve("queue").toString(),
                Integer.toString(first))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = process.inputReader(UTF_8)) {
      String last = "0";
      for (int i = 0; i < lines; i++) {
        String line = out.readLine();
        assertThat(line).isNotNull();
        last = line;
      }
      process.destroyForcibly().waitFor();
      return Integer.parseInt(last);
    } finally {
      process.destroyForcibly();
    }
  }
}
