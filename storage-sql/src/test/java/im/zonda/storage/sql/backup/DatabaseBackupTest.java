package im.zonda.storage.sql.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.config.Storage;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.BackupListener;
import im.zonda.storage.sql.DatabaseBackup;
import im.zonda.storage.sql.DatabaseMaintenance;
import im.zonda.storage.sql.DatabaseStatus;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.storage.sql.copy.FilledStores;
import im.zonda.store.KeyValueStore;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreException;
import im.zonda.store.Stores;
import im.zonda.testkit.database.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Backups of each kind of database.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#all")
@Timeout(120)
class DatabaseBackupTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final BackupListener NOBODY = (stage, done, all, unit) -> {};

  /// Together with [#VALUES], more than what is written before the listener is called.
  private static final int LARGE = 1 << 18;

  private static final int VALUES = 64;

  private final TestDatabase database;
  @TempDir Path folder;

  DatabaseBackupTest(TestDatabase database) {
    this.database = database;
  }

  private Path source() throws IOException {
    return Files.createDirectories(folder.resolve("source"));
  }

  private Path file() throws IOException {
    return Files.createDirectories(folder.resolve("backup")).resolve("zonda.db");
  }

  private DatabaseBackup backup(TestDatabase kind, Path data) {
    return new DatabaseBackup(
        data, kind.emptySettings(data, new Storage(true, true, 0, 512, true)));
  }

  private DatabaseMaintenance maintenance(Path data) {
    return new DatabaseMaintenance(data, backup(database, data).settings());
  }

  private Path backUp(TestDatabase kind, Path data) throws IOException {
    backup(kind, data).write(file(), NOBODY);
    return file();
  }

  private static String show(TestDatabase kind, Path data) {
    try (SqlStores stores = FilledStores.open(kind, data)) {
      return FilledStores.show(stores);
    }
  }

  private Path restored(TestDatabase kind, Path file) throws IOException {
    Path data = Files.createDirectories(folder.resolve("restored"));
    backup(kind, data).restore(file, NOBODY);
    return data;
  }

  @Test
  void aBackupHasEverything() throws Exception {
    FilledStores.fill(database, source());
    Path file = backUp(database, source());
    DatabaseBackup.check(file);
    assertThat(show(TestDatabase.SQLITE, restored(TestDatabase.SQLITE, file)))
        .isEqualTo(show(database, source()));
  }

  @Test
  void aBackupOfSqliteIsRestoredInAnyDatabase() throws Exception {
    FilledStores.fill(TestDatabase.SQLITE, source());
    Path file = backUp(TestDatabase.SQLITE, source());
    byte[] before = Files.readAllBytes(file);
    assertThat(show(database, restored(database, file)))
        .isEqualTo(show(TestDatabase.SQLITE, source()));
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
    assertThat(names(folder.resolve("restored")))
        .allMatch(name -> name.equals("zonda.db") || name.startsWith("zonda.db-"));
  }

  private static List<String> names(Path path) throws IOException {
    try (Stream<Path> all = Files.list(path)) {
      return all.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aBackupIsOneFileAndStaysSo() throws Exception {
    FilledStores.fill(database, source());
    Path file = backUp(database, source());
    byte[] before = Files.readAllBytes(file);
    DatabaseBackup.check(file);
    DatabaseStatus status = DatabaseBackup.read(file);
    assertThat(status.schema()).isEqualTo(status.newestSchema());
    assertThat(status.counts()).isEqualTo(maintenance(source()).status().counts());
    List<String> hashes = new ArrayList<>();
    DatabaseBackup.uploads(file, (hash, size) -> hashes.add(hash + " " + size));
    assertThat(hashes).containsExactly("ab".repeat(32) + " 2");
    assertThat(names(folder(file()))).containsExactly("zonda.db");
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  private static Path folder(Path file) {
    return Objects.requireNonNull(file.getParent());
  }

  /// A writer that stores number n as a value, as a message, and as another value, one after the
  /// other.
  private static final class Counter implements AutoCloseable {
    private final Stores stores;
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Thread thread;

    Counter(Stores stores) {
      this.stores = stores;
      thread = Thread.ofPlatform().start(this::run);
    }

    private void run() {
      KeyValueStore values = stores.keyValues("private");
      MessageLog log = stores.messages();
      for (int n = 1; !stopped.get(); n++) {
        values.put(ROMEO, "first", number(n));
        log.append(
            new MessageLog.Entry(
                ROMEO, log.nextId(), JULIET, StoresContract.message(JULIET, ROMEO, "" + n)),
            MessageLog.Keep.ARCHIVE,
            true);
        log.flush();
        values.put(ROMEO, "last", number(n));
        acknowledged.set(n);
      }
    }

    private static byte[] number(int n) {
      return Integer.toString(n).getBytes(StandardCharsets.US_ASCII);
    }

    void awaitMore() {
      int now = acknowledged.get();
      Eventually.await("more is stored", () -> acknowledged.get() >= now + 5);
    }

    @Override
    public void close() {
      stopped.set(true);
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static int number(Stores stores, String key) {
    byte[] value = stores.keyValues("private").get(ROMEO, key);
    return value == null ? 0 : Integer.parseInt(new String(value, StandardCharsets.US_ASCII));
  }

  @Test
  void aBackupIsOneMomentOfADatabaseThatChanges() throws Exception {
    try (SqlStores stores = FilledStores.open(database, source())) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      for (int i = 0; i < VALUES; i++) {
        stores.keyValues("vcard").put(ROMEO, "large" + i, new byte[LARGE]);
      }
      int acknowledged;
      AtomicInteger calls = new AtomicInteger();
      try (Counter counter = new Counter(stores)) {
        counter.awaitMore();
        acknowledged = counter.acknowledged.get();
        backup(database, source())
            .write(
                file(),
                (stage, done, all, unit) -> {
                  if (calls.incrementAndGet() < 20) {
                    counter.awaitMore();
                  }
                });
      }
      assertThat(calls.get()).isGreaterThan(2);
      checkPrefix(acknowledged);
    }
  }

  /// The backup has the first numbers without a gap, and what was stored together.
  private void checkPrefix(int acknowledged) throws IOException {
    try (SqlStores stores =
        FilledStores.open(TestDatabase.SQLITE, restored(TestDatabase.SQLITE, file()))) {
      stores.check();
      int first = number(stores, "first");
      int last = number(stores, "last");
      List<String> messages =
          stores.messages().waiting(ROMEO, 0, 1_000_000).stream()
              .map(StoresContract::body)
              .toList();
      assertThat(last).isGreaterThanOrEqualTo(acknowledged);
      assertThat(first).isBetween(last, last + 1);
      assertThat(messages.size()).isBetween(last, first);
      assertThat(messages)
          .isEqualTo(
              IntStream.rangeClosed(1, messages.size()).mapToObj(Integer::toString).toList());
    }
  }

  @Test
  void aDatabaseThatIsNotEmptyIsNotChanged() throws Exception {
    FilledStores.fill(TestDatabase.SQLITE, source());
    Path file = backUp(TestDatabase.SQLITE, source());
    Path other = Files.createDirectories(folder.resolve("restored"));
    try (SqlStores stores = FilledStores.open(database, other)) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
    }
    String before = show(database, other);
    assertThatThrownBy(() -> restored(database, file))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("not changed");
    assertThat(show(database, other)).isEqualTo(before);
  }

  @Test
  void aBackupOfANewerVersionIsNotRestored() throws Exception {
    FilledStores.open(database, source()).close();
    Path file = backUp(database, source());
    TestDatabase.SQLITE.execute(folder(file), "pragma user_version = 1000");
    assertThatThrownBy(() -> restored(database, file))
        .hasMessageContaining("was written by a newer version of this server (schema 1000");
  }

  @Test
  void aBackupOfAnOlderVersionIsUpgraded() throws Exception {
    FilledStores.open(TestDatabase.SQLITE, source()).close();
    Path file = backUp(TestDatabase.SQLITE, source());
    TestDatabase.SQLITE.execute(
        folder(file),
        "drop table audit_event",
        "drop table journal_event",
        "drop table meter_history",
        "drop table traced_message",
        "drop table trace_step",
        "drop index room_created",
        "drop index key_value_disabled",
        "pragma user_version = 15");
    Path data = restored(database, file);
    try (SqlStores stores = FilledStores.open(database, data)) {
      assertThat(stores.audit().count()).isZero();
    }
  }

  @Test
  void aMissingDatabaseIsReported() throws Exception {
    assumeTrue(database == TestDatabase.SQLITE, "only its server knows");
    assertThatThrownBy(() -> backUp(database, source()))
        .hasMessage("there is no database " + source().resolve("zonda.db"));
  }

  @Test
  void anInterruptEndsIt() throws Exception {
    fillValues();
    Thread caller = Thread.currentThread();
    assertThatThrownBy(() ->
            backup(database, source())
                .write(
                    file(),
                    (stage, done, all, unit) -> {
                      caller.interrupt();
                      Eventually.await(
                          "it is passed on", () -> Thread.currentThread().isInterrupted());
                    }))
        .isInstanceOf(StoreException.class)
        .hasMessage("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aListenerEndsIt() throws Exception {
    fillValues();
    IllegalStateException own = new IllegalStateException("the test's");
    assertThatThrownBy(() ->
            backup(database, source())
                .write(
                    file(),
                    (stage, done, all, unit) -> {
                      throw own;
                    }))
        .hasRootCause(own);
  }

  private void fillValues() throws IOException {
    try (SqlStores stores = FilledStores.open(database, source())) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      for (int i = 0; i < VALUES; i++) {
        stores.keyValues("vcard").put(ROMEO, "large" + i, new byte[LARGE]);
      }
    }
  }

  @Test
  void onlyTheOwnerMayReadIt() throws Exception {
    FilledStores.open(database, source()).close();
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(backUp(database, source()))))
        .isEqualTo("rw-------");
  }
}
