package im.zonda.storage.sql.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.BackupListener;
import im.zonda.storage.sql.DatabaseBackup;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// The disk of a backup is full; that of the database is another. Skipped where mounting is not
/// allowed.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#all")
@Timeout(120)
class BackupDiskFullTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final int VALUES = 80;
  private static final int BYTES = 1 << 18;
  private static final int DISK = 64;

  private final TestDatabase database;
  @TempDir Path parent;

  BackupDiskFullTest(TestDatabase database) {
    this.database = database;
  }

  private Storage settings() {
    return database.settings(data(), new Storage(true, true, 0, 512));
  }

  private Path data() {
    return parent.resolve("data");
  }

  /// 20 MiB.
  private SqlStores filled() throws IOException {
    Files.createDirectories(data());
    SqlStores stores =
        SqlStores.open(data(), settings(), Limits.defaults(), InstantSource.system());
    stores.accounts().create(List.of(StoresContract.account(ROMEO)));
    Random random = new Random(20261128);
    for (int i = 0; i < VALUES; i++) {
      byte[] value = new byte[BYTES];
      random.nextBytes(value);
      stores.keyValues("vcard").put(ROMEO, "k" + i, value);
    }
    return stores;
  }

  private StoreException refusal(SmallDisk disk, BackupListener listener) {
    return catchThrowableOfType(
        StoreException.class,
        () ->
            new DatabaseBackup(data(), settings())
                .write(disk.folder().resolve("zonda.db"), listener));
  }

  @Test
  void aDiskThatBecomesFullEndsTheBackupOnly() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(parent, DISK);
        SqlStores stores = filled()) {
      AtomicBoolean full = new AtomicBoolean();
      StoreException refusal =
          refusal(
              disk,
              (stage, done, all, unit) -> {
                if (done > 0 && !full.getAndSet(true)) {
                  fill(disk);
                }
              });
      assertThat(full).isTrue();
      assertThat(refusal.category())
          .as(refusal.getMessage())
          .isEqualTo(StoreException.Category.FULL);
      assertThat(refusal).hasMessageContaining(disk.folder().toString());
      stores.keyValues("vcard").put(ROMEO, "k", new byte[BYTES]);
      assertThat(stores.messages().state().ok()).isTrue();
    }
  }

  private static void fill(SmallDisk disk) {
    try {
      disk.fill(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aDiskThatIsTooSmallIsReportedAtOnce() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(parent, DISK);
        SqlStores _ = filled()) {
      disk.fill(1_000_000);
      StoreException refusal = refusal(disk, (stage, done, all, unit) -> {});
      assertThat(refusal.category()).isEqualTo(StoreException.Category.FULL);
      if (database == TestDatabase.SQLITE) {
        assertThat(refusal).hasMessageContaining("bytes free, and the copy needs ");
      }
    }
  }
}
