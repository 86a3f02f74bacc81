package im.zonda.storage.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.DatabaseMaintenance.Upgrade;
import im.zonda.storage.sql.database.Schema;
import im.zonda.storage.sql.sqlite.SqliteDialect;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.RoomStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Status and upgrade of each kind of database.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#all")
@Timeout(120)
class DatabaseMaintenanceTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");

  private final TestDatabase database;
  @TempDir Path folder;

  DatabaseMaintenanceTest(TestDatabase database) {
    this.database = database;
  }

  private Storage settings() {
    return database.emptySettings(folder, new Storage(true, true, 0, 512, true));
  }

  private DatabaseMaintenance maintenance() {
    return new DatabaseMaintenance(folder, settings());
  }

  private SqlStores open() {
    return SqlStores.open(folder, settings(), Limits.defaults(), InstantSource.system());
  }

  private void setVersion(int version) throws SQLException {
    database.execute(
        folder,
        database == TestDatabase.SQLITE
            ? "pragma user_version = " + version
            : "update zonda_schema set version = " + version + ", oldest = " + version);
  }

  private int newest() {
    return database.dialect(folder).schema().newest();
  }

  /// The server of the tests does not wait for the disk.
  @Test
  void settingsThatMayLoseCommitsAreFound() {
    try (SqlStores stores = open()) {
      assertThat(stores.health().ok()).isTrue();
      assertThat(maintenance().risks())
          .isEqualTo(
              database == TestDatabase.POSTGRESQL ? "fsync = off, full_page_writes = off" : "");
    }
  }

  @Test
  void theStatusCountsAlsoWhileAServerRuns() {
    try (SqlStores stores = open()) {
      stores
          .accounts()
          .create(List.of(StoresContract.account(ROMEO), StoresContract.account(JULIET)));
      stores.keyValues("host").put(Jid.of("example.net"), "a domain", new byte[0]);
      Jid garden = Jid.of("garden@rooms.example.net");
      stores
          .rooms()
          .save(
              new RoomStore.Room(garden, null, StoresContract.NOON, true, true, "", ""), List.of());
      for (int i = 0; i < 5; i++) {
        MessageLog.Entry entry =
            new MessageLog.Entry(
                ROMEO,
                stores.messages().nextId(),
                JULIET,
                StoresContract.message(JULIET, ROMEO, "hail"));
        stores.messages().append(entry, Keep.ARCHIVE, i < 2);
      }
      stores.messages().flush();
      DatabaseStatus status = maintenance().status();
      assertThat(status.counts()).isEqualTo(new DatabaseStatus.Counts(2, 1, 5, 2));
      assertThat(status.indexes()).isEqualTo(new DatabaseStatus.Indexes(5, 5L));
      assertThat(status.schema()).isEqualTo(status.newestSchema()).isEqualTo(newest());
      assertThat(status.size()).isGreaterThan(20_000);
      assertThat(status.product()).isEqualTo(stores.health().product());
      assertThat(status.address()).isEqualTo(stores.health().database());
      assertThat(status.copyOf()).isNull();
      assertThat(status.taken()).isEqualTo(database != TestDatabase.SQLITE);
    }
    assertThat(maintenance().status().taken()).isFalse();
  }

  @Test
  void theStatusOfANewerSchemaIsShown() throws SQLException {
    open().close();
    setVersion(1_000);
    DatabaseStatus status = maintenance().status();
    assertThat(status.schema()).isEqualTo(1_000);
    assertThat(status.newestSchema()).isEqualTo(newest());
  }

  @Test
  void theStatusOfAnEmptyDatabaseIsShownAndCreatesNothing() throws SQLException {
    if (database == TestDatabase.SQLITE) {
      assertThatThrownBy(() -> maintenance().status())
          .hasMessage("there is no database " + folder.resolve("zonda.db"));
      assertThat(folder.resolve("zonda.db")).doesNotExist();
    } else {
      DatabaseStatus status = maintenance().status();
      assertThat(status.schema()).isZero();
      assertThat(status.counts()).isEqualTo(new DatabaseStatus.Counts(0, 0, 0, 0));
      try (Connection connection = database.connect(folder)) {
        assertThat(database.dialect(folder).tables(connection)).isEmpty();
      }
    }
  }

  @Test
  void eachOlderSchemaIsShownAndUpgraded() throws SQLException {
    assumeTrue(database == TestDatabase.SQLITE, "the others have one version");
    Schema all = SqliteDialect.SCHEMA;
    for (int version = 1; version < all.newest(); version++) {
      Path data = folder.resolve("zonda.db");
      SqliteDialect dialect = new SqliteDialect(data, each -> each);
      try (Connection connection = dialect.create(data)) {
        new Schema(all.folder(), all.changes().subList(0, version)).migrate(connection, dialect);
      }
      DatabaseStatus status = maintenance().status();
      assertThat(status.schema()).isEqualTo(version);
      assertThat(status.counts()).isEqualTo(new DatabaseStatus.Counts(0, 0, 0, 0));
      List<String> steps = new ArrayList<>();
      assertThat(maintenance().migrate((from, to) -> steps.add(from + " to " + to)))
          .isEqualTo(new Upgrade(data.toString(), version, all.newest()));
      assertThat(steps).hasSize(all.newest() - version).first().isEqualTo(step(version));
      assertThat(data.toFile().delete()).isTrue();
    }
  }

  private static String step(int version) {
    return version + " to " + (version + 1);
  }

  @Test
  void theTablesAreCreatedOnce() {
    Upgrade first = maintenance().migrate((from, to) -> {});
    assertThat(first).isEqualTo(new Upgrade(first.database(), 0, newest()));
    List<String> steps = new ArrayList<>();
    assertThat(maintenance().migrate((from, to) -> steps.add(step(from))))
        .isEqualTo(new Upgrade(first.database(), newest(), newest()));
    assertThat(steps).isEmpty();
    open().close();
  }

  @Test
  void aNewerSchemaIsNotUpgraded() throws SQLException {
    open().close();
    setVersion(1_000);
    assertThatThrownBy(() -> maintenance().migrate((from, to) -> {}))
        .hasMessageContaining("was written by a newer version of this server (schema 1000");
    assertThat(maintenance().status().schema()).isEqualTo(1_000);
  }

  @Test
  void aDatabaseInUseIsNotUpgraded() {
    assumeTrue(database != TestDatabase.SQLITE, "the folder of SQLite is locked");
    try (SqlStores stores = open()) {
      assertThatThrownBy(() -> maintenance().migrate((from, to) -> {}))
          .hasMessageContaining("is used by another server");
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
    }
  }
}
