package im.zonda.storage.sql;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Limits;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.store.MessageLog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process that writes is killed at any moment: what it said to be durable is there.
class CrashTest {
  private static final long SEED = 20261121;
  private static final int ROUNDS = 5;

  @TempDir Path folder;

  @Test
  void nothingThatWasCommittedIsLostByAKill() throws Exception {
    Random random = new Random(SEED);
    Map<String, Long> durable = new HashMap<>();
    Set<String> delivered = new HashSet<>();
    for (int round = 0; round < ROUNDS; round++) {
      killAfter(1 + random.nextInt(4_000), round, durable, delivered);
      try (SqlStores stores =
          SqlStores.open(
              folder,
              new ServerConfig.Storage(true, true, 2, 512),
              Limits.defaults(),
              InstantSource.system())) {
        stores.check();
        Set<String> found = new HashSet<>();
        for (int i = 0; i < CrashingWriter.OWNERS; i++) {
          Jid owner = CrashingWriter.owner(i);
          long before = 0;
          for (MessageLog.Entry entry : stores.messages().waiting(owner, 0, 1_000_000)) {
            assertThat(entry.id()).isGreaterThan(before);
            before = entry.id();
            assertThat(found.add(StoresContract.body(entry))).isTrue();
          }
        }
        Set<String> lost = new HashSet<>(durable.keySet());
        lost.removeAll(found);
        lost.removeAll(delivered);
        assertThat(lost).as("round %d", round).isEmpty();
        assertThat(stores.messages().nextId())
            .isGreaterThan(durable.values().stream().max(Long::compare).orElse(0L));
      }
    }
    assertThat(durable).isNotEmpty();
  }

  /// Starts the writer, reads so many reports, and kills it.
  private void killAfter(int reports, int round, Map<String, Long> durable, Set<String> delivered)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                CrashingWriter.class.getName(),
                folder.toString(),
                Integer.toString(round))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      int seen = 0;
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        List<String> words = List.of(line.split(" ", -1));
        // The last line may be cut off by the kill; it ends with a dot otherwise.
        if (words.size() == 4 && words.get(3).equals(".")) {
          if (words.getFirst().equals("committed")) {
            durable.put(words.get(1), Long.valueOf(words.get(2)));
          } else {
            delivered.add(words.get(1));
          }
        }
        if (++seen == reports) {
          process.toHandle().destroyForcibly(); // kill -9 of our own child, its output left open
        }
      }
      assertThat(seen).as("reports of the writer").isGreaterThanOrEqualTo(reports);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }
}
