package im.zonda.storage.sql.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process that writes is killed at any moment: everything it reported as durable is there.
class CrashTest {
  private static final long SEED = 20261121;
  private static final int ROUNDS = 5;

  @TempDir Path folder;

  @Test
  void nothingThatWasCommittedIsLostByAKill() throws Exception {
    Random random = new Random(SEED);
    KilledWriter writer = new KilledWriter(folder);
    for (int round = 0; round < ROUNDS; round++) {
      AtomicInteger left = new AtomicInteger(1 + random.nextInt(4_000));
      writer.run(round, report -> left.decrementAndGet() == 0);
      writer.check();
    }
    assertThat(writer.promises()).isPositive();
  }
}
