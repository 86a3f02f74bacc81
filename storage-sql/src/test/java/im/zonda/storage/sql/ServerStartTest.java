package im.zonda.storage.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.config.ServerConfig.DatabaseTls;
import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.store.StoreException;
import im.zonda.testkit.database.DatabaseServer;
import im.zonda.testkit.database.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// A database server that cannot be used at start: one line says why, and nothing is changed.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#servers")
@Timeout(120)
class ServerStartTest {
  private final TestDatabase database;
  @TempDir Path folder;

  ServerStartTest(TestDatabase database) {
    this.database = database;
  }

  private Storage settings() {
    return database.emptySettings(folder, new Storage(true, true, 0, 512));
  }

  private StoreException refusal(Storage settings) {
    StoreException refusal =
        catchThrowableOfType(
            StoreException.class,
            () ->
                SqlStores.open(folder, settings, Limits.defaults(), InstantSource.system())
                    .close());
    assertThat(refusal).as("nothing is wrong").isNotNull();
    assertThat(refusal.getMessage()).doesNotContain("secret").doesNotContain("\n");
    assertThat(refusal.getMessage()).startsWith(settings.url().substring(0, 10));
    return refusal;
  }

  private long tables() throws SQLException {
    return database.number(
        folder,
        "select count(*) from information_schema.tables"
            + " where table_name in ('account', 'message', 'zonda_schema')"
            + " and table_schema in ('public', "
            + (database == TestDatabase.POSTGRESQL ? "'public'" : "database()")
            + ")");
  }

  @Test
  void aWrongPasswordIsReported() {
    Storage settings =
        settings().withDatabase(settings().url(), "zonda", "secret, wrong", DatabaseTls.OFF);
    assertThat(refusal(settings)).hasMessageContaining("does not accept user zonda");
  }

  @Test
  void anUnknownUserIsReported() {
    Storage settings =
        settings().withDatabase(settings().url(), "nobody", "secret, wrong", DatabaseTls.OFF);
    assertThat(refusal(settings)).hasMessageContaining("does not accept user nobody");
  }

  @Test
  void aMissingDatabaseIsReported() {
    Storage settings =
        settings()
            .withDatabase(
                database.server().url("missing"),
                DatabaseServer.USER,
                DatabaseServer.PASSWORD,
                DatabaseTls.OFF);
    assertThat(refusal(settings)).hasMessageContaining("does not exist");
  }

  @Test
  void aServerThatIsNotThereIsReported() throws IOException {
    String url = settings().url();
    int port = FreePorts.next(); // no one listens there
    Storage settings =
        settings()
            .withDatabase(
                url.replaceAll(":\\d+/", ":" + port + "/"), "zonda", "secret", DatabaseTls.OFF);
    assertThat(refusal(settings).category()).isEqualTo(StoreException.Category.UNAVAILABLE);
  }

  @Test
  void aMissingPrivilegeIsReported() throws SQLException {
    settings();
    if (database == TestDatabase.POSTGRESQL) {
      database.execute(folder, "drop schema public", "create schema public authorization postgres");
      database.execute(folder, "grant usage on schema public to zonda");
    } else {
      String name = settings().url().replaceAll(".*/", "");
      database.execute(
          folder,
          "revoke all on " + name + ".* from zonda",
          "grant select on " + name + ".* to zonda");
    }
    assertThat(refusal(settings())).hasMessageContaining("does not allow user zonda");
    assertThat(tables()).isZero();
  }

  @Test
  void aNewerSchemaIsReported() throws SQLException {
    SqlStores.open(folder, settings(), Limits.defaults(), InstantSource.system()).close();
    database.execute(
        folder, "update zonda_schema set version = 1000, oldest = 1000, generation = 7");
    assertThat(refusal(settings()))
        .hasMessageContaining("was written by a newer version of this server (schema 1000")
        .hasMessageContaining("It was not changed");
    assertThat(database.number(folder, "select generation from zonda_schema")).isEqualTo(7);
  }

  @Test
  void tablesOfAnotherApplicationAreReported() throws SQLException {
    settings();
    database.execute(folder, "create table account (name varchar(10))");
    assertThat(refusal(settings())).hasMessageContaining("has tables of another application");
    assertThat(tables()).isOne();
  }

  @Test
  void aServerWithoutTlsIsNotUsedIfTlsIsRequired() throws SQLException {
    assumeTrue(database == TestDatabase.POSTGRESQL, "MariaDB makes itself a certificate");
    Storage settings =
        settings()
            .withDatabase(
                settings().url(), DatabaseServer.USER, DatabaseServer.PASSWORD, DatabaseTls.VERIFY);
    assertThat(refusal(settings).category()).isEqualTo(StoreException.Category.UNAVAILABLE);
    assertThat(tables()).isZero();
  }
}
