package im.zonda.storage.sql.crash;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.MessageLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process that copies a database is killed at any moment: the next one continues.
class CopyCrashTest {
  private static final long SEED = 20261122;
  private static final int ROUNDS = 5;
  private static final int MESSAGES = 300;
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");

  @TempDir Path folder;

  @Test
  void theCopyIsCompleteAfterManyKills() throws Exception {
    Files.createDirectory(folder.resolve("target"));
    fill();
    Random random = new Random(SEED);
    AtomicInteger copied = new AtomicInteger();
    KilledProcess copy = new KilledProcess(CrashingCopy.class, folder);
    for (int round = 0; round < ROUNDS; round++) {
      int before = copied.get();
      AtomicInteger left = new AtomicInteger(1 + random.nextInt(14));
      copy.run(
          round,
          words -> {
            if (words.getFirst().equals("COPY")) {
              int done = Integer.parseInt(words.get(2));
              assertThat(done).as("rows of all").isGreaterThanOrEqualTo(before);
              copied.set(done);
            }
          },
          line -> left.decrementAndGet() == 0);
    }
    // A process that is killed late may have copied everything.
    assertThat(copied.get()).isPositive();
    copy.run(ROUNDS, words -> {}, line -> line.equals("complete ."));
    try (SqlStores stores = open(folder.resolve("target"))) {
      stores.check();
      assertThat(stores.messages().waitingCount(ROMEO)).isEqualTo(MESSAGES);
    }
  }

  private void fill() {
    try (SqlStores stores = open(folder)) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      for (int i = 0; i < MESSAGES; i++) {
        MessageLog.Entry entry =
            new MessageLog.Entry(
                ROMEO,
                stores.messages().nextId(),
                JULIET,
                StoresContract.message(JULIET, ROMEO, "message " + i));
        stores.messages().append(entry, MessageLog.Keep.ARCHIVE, true);
      }
    }
  }

  private static SqlStores open(Path data) {
    return SqlStores.open(
        data, new Storage(true, true, 0, 512), Limits.defaults(), InstantSource.system());
  }
}
