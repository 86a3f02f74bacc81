package im.zonda.storage.sql.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.config.ServerConfig.DatabaseTls;
import im.zonda.config.Storage;
import im.zonda.storage.sql.DatabaseMaintenance;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.storage.sql.database.Dialect;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Databases that cannot be copied, and that cannot be copied to: one line says why, and nothing is
/// changed.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#all")
@Timeout(120)
class CopyRefusalTest {
  private final TestDatabase database;
  @TempDir Path folder;
  private Path source = Path.of("");
  private Path target = Path.of("");

  CopyRefusalTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void createFolders() throws IOException {
    source = Files.createDirectory(folder.resolve("source"));
    target = Files.createDirectory(folder.resolve("target"));
  }

  private static Storage file() {
    return new Storage(true, true, 0, 512);
  }

  private Storage settings(Path data) {
    return database.emptySettings(data, file());
  }

  /// Copies from SQLite; returns the failure.
  private StoreException refusal(Storage to) {
    return refusal(source, file(), to);
  }

  private static StoreException refusal(Path data, Storage from, Storage to) {
    StoreException refusal =
        catchThrowableOfType(
            StoreException.class,
            () -> new DatabaseMaintenance(data, from).copyTo(to, (step, table, done, all) -> {}));
    assertThat(refusal).as("nothing is wrong").isNotNull();
    assertThat(refusal.getMessage()).doesNotContain("secret").doesNotContain("\n");
    return refusal;
  }

  private int tables(Path data) throws SQLException {
    try (Connection connection = database.connect(data)) {
      return database.dialect(data).tables(connection).size();
    }
  }

  private void assumeServer() {
    assumeTrue(database != TestDatabase.SQLITE, "SQLite is no server");
    FilledStores.open(TestDatabase.SQLITE, source).close();
  }

  private Storage target(@Nullable String user, @Nullable String password) {
    return settings(target).withDatabase(settings(target).url(), user, password, DatabaseTls.OFF);
  }

  @Test
  void aWrongPasswordIsReported() throws SQLException {
    assumeServer();
    assertThat(refusal(target("zonda", "secret, wrong")))
        .hasMessageContaining("does not accept user zonda");
    assertThat(tables(target)).isZero();
  }

  @Test
  void aMissingDatabaseIsReported() {
    assumeServer();
    Storage settings = settings(target);
    String url = settings.url().replaceAll("[^/]*$", "missing");
    assertThat(
            refusal(
                settings.withDatabase(url, settings.user(), settings.password(), DatabaseTls.OFF)))
        .hasMessageContaining("does not exist");
  }

  @Test
  void aMissingPrivilegeIsReported() throws SQLException {
    assumeServer();
    Storage settings = settings(target);
    String name = settings.url().replaceAll(".*/", "");
    if (database == TestDatabase.POSTGRESQL) {
      database.execute(target, "drop schema public", "create schema public authorization postgres");
      database.execute(target, "grant usage on schema public to zonda");
    } else {
      database.execute(
          target,
          "revoke all on " + name + ".* from zonda",
          "grant select on " + name + ".* to zonda");
    }
    assertThat(refusal(settings)).hasMessageContaining("does not allow user zonda");
    assertThat(tables(target)).isZero();
  }

  @Test
  void aServerThatIsNotThereIsReported() throws IOException {
    assumeServer();
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort(); // no one listens there afterwards
    }
    Storage settings = settings(target);
    String url = settings.url().replaceAll(":\\d+/", ":" + port + "/");
    assertThat(refusal(settings.withDatabase(url, "zonda", "secret", DatabaseTls.OFF)))
        .hasMessageStartingWith(url);
  }

  @Test
  void aTargetInUseIsReported() {
    assumeServer();
    try (SqlStores _ = FilledStores.open(database, target)) {
      assertThat(refusal(settings(target))).hasMessageContaining("is used by another server");
    }
  }

  @Test
  void aSourceInUseIsReported() {
    assumeTrue(database != TestDatabase.SQLITE, "the folder of SQLite is locked");
    try (SqlStores _ = FilledStores.open(database, source)) {
      assertThat(refusal(target, settings(source), file()))
          .hasMessageContaining("is used by another server");
    }
    assertThat(target.resolve("zonda.db")).doesNotExist();
  }

  @Test
  void aTargetOfANewerVersionIsReported() throws SQLException {
    FilledStores.open(TestDatabase.SQLITE, source).close();
    FilledStores.open(database, target).close();
    setVersion(target, 1_000);
    assertThat(refusal(source, file(), absolute(target)))
        .hasMessageContaining("was written by a newer version");
  }

  @Test
  void aSourceOfANewerOrOlderVersionIsReported() throws SQLException {
    FilledStores.open(database, source).close();
    setVersion(source, 1_000);
    assertThat(refusal(target, absolute(source), file()))
        .hasMessageContaining("was written by a newer version");
    assumeTrue(database == TestDatabase.SQLITE, "the others have one version");
    setVersion(source, 4);
    assertThat(refusal(target, absolute(source), file()))
        .hasMessageContaining("has schema 4")
        .hasMessageContaining("run 'zonda database migrate' for it first");
    assertThat(target.resolve("zonda.db")).doesNotExist();
  }

  @Test
  void aMissingSourceIsReported() {
    assumeTrue(database == TestDatabase.SQLITE, "only a file can be missing");
    assertThat(refusal(source, file(), absolute(target)))
        .hasMessageContaining("there is no database");
    assertThat(target.resolve("zonda.db")).doesNotExist();
    assertThat(source.resolve("zonda.db")).doesNotExist();
  }

  @Test
  void aDatabaseIsNotCopiedToItself() {
    FilledStores.open(database, source).close();
    assertThat(refusal(source, settings(source), settings(source)))
        .hasMessageContaining("cannot be copied to itself");
  }

  @Test
  void tablesOfAnotherApplicationAreReported() throws SQLException {
    FilledStores.open(TestDatabase.SQLITE, source).close();
    Dialect ours = database.dialect(target);
    database.execute(target, "create table account (name varchar(10))");
    assertThat(refusal(source, file(), absolute(target))).hasMessageStartingWith(ours.name());
    assertThat(tables(target)).isOne();
  }

  private void setVersion(Path data, int version) throws SQLException {
    database.execute(
        data,
        database == TestDatabase.SQLITE
            ? "pragma user_version = " + version
            : "update zonda_schema set version = " + version + ", oldest = " + version);
  }

  /// The settings, whatever the data folder is.
  private Storage absolute(Path data) {
    return database == TestDatabase.SQLITE
        ? file().withDatabase("sqlite:" + data.resolve("zonda.db"), null, null, null)
        : settings(data);
  }
}
