package im.zonda.storage.sql.versions;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.DatabaseMaintenance;
import im.zonda.storage.sql.DatabaseMaintenance.Upgrade;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.storage.sql.copy.FilledStores;
import im.zonda.storage.sql.database.Dialect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The current build opens what each version has written, upgrades it, and reads everything.
@Timeout(120)
class VersionsTest {
  private static final Jid NURSE = Jid.of("nurse@example.net");

  /// Writes `shown.txt` again, for a change of how values are shown.
  private static final boolean REGENERATE = Boolean.getBoolean("zonda.regenerate");

  @TempDir Path folder;

  static List<Arguments> all() throws IOException {
    List<Arguments> all = new ArrayList<>();
    for (VersionFixture version : VersionFixture.all()) {
      TestDatabase.all().forEach(database -> all.add(Arguments.of(version, database)));
    }
    return all;
  }

  private Upgrade upgrade(TestDatabase database) {
    List<String> steps = new ArrayList<>();
    Upgrade upgrade =
        new DatabaseMaintenance(folder, FilledStores.settings(database, folder))
            .migrate((from, to) -> steps.add(from + " to " + to));
    assertThat(steps).hasSize(upgrade.to() - upgrade.from());
    return upgrade;
  }

  private String show(TestDatabase database) {
    try (SqlStores stores = FilledStores.open(database, folder)) {
      stores.check();
      return FilledStores.show(stores) + "\n";
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void everythingIsRead(VersionFixture version, TestDatabase database) throws Exception {
    version.load(database, folder);
    Upgrade upgrade = upgrade(database);
    assertThat(upgrade.from()).isPositive();
    assertThat(upgrade.to()).isEqualTo(database.dialect(folder).schema().newest());
    String shown = show(database);
    if (REGENERATE) {
      Files.writeString(version.shown(), shown);
    }
    assertThat(shown).isEqualTo(Files.readString(version.shown()));
  }

  /// A server upgrades when it starts, too, and goes on from there.
  @ParameterizedTest
  @MethodSource("all")
  void aServerWorksOnIt(VersionFixture version, TestDatabase database) throws Exception {
    version.load(database, folder);
    try (SqlStores stores = FilledStores.open(database, folder)) {
      stores.accounts().create(List.of(StoresContract.account(NURSE)));
      StoresContract.append(stores, NURSE, Jid.of("romeo@example.net"), "madam");
      stores.messages().flush();
    }
    assertThat(show(database))
        .contains("account " + NURSE, "madam")
        .contains(Files.readAllLines(version.shown()));
  }

  /// Otherwise what a migration makes depends on where it begins.
  @ParameterizedTest
  @MethodSource("all")
  void theTablesAreThoseOfANewDatabase(
      VersionFixture version, TestDatabase database, @TempDir Path fresh) throws Exception {
    version.load(database, folder);
    upgrade(database);
    try (Connection upgraded = database.connect(folder);
        Connection created = database.dialect(fresh).open()) {
      assertThat(tables(database, upgraded)).isEqualTo(tables(database, created));
    }
  }

  /// The tables, columns and indexes.
  private Set<String> tables(TestDatabase database, Connection connection) throws SQLException {
    Set<String> found = new TreeSet<>();
    DatabaseMetaData data = connection.getMetaData();
    String catalog = database == TestDatabase.SQLITE ? null : connection.getCatalog();
    for (String table : database.dialect(folder).tables(connection)) {
      try (ResultSet row = data.getColumns(catalog, null, table, null)) {
        while (row.next()) {
          found.add(line(row, "TABLE_NAME", "COLUMN_NAME", "TYPE_NAME", "IS_NULLABLE"));
        }
      }
      try (ResultSet row = data.getIndexInfo(catalog, null, table, false, true)) {
        while (row.next()) {
          found.add(line(row, "TABLE_NAME", "INDEX_NAME", "COLUMN_NAME", "NON_UNIQUE"));
        }
      }
    }
    return found;
  }

  private static String line(ResultSet row, String... columns) throws SQLException {
    List<@Nullable String> values = new ArrayList<>();
    for (String column : columns) {
      values.add(row.getString(column));
    }
    return values.toString();
  }

  /// Something of every kind is in the fixture.
  @ParameterizedTest
  @MethodSource("all")
  void noTableIsEmpty(VersionFixture version, TestDatabase database) throws Exception {
    version.load(database, folder);
    Dialect dialect = database.dialect(folder);
    Set<String> empty = new TreeSet<>();
    try (Connection connection = database.connect(folder)) {
      for (String table : dialect.tables(connection)) {
        if (database.number(folder, "select count(*) from " + table) == 0) {
          empty.add(table);
        }
      }
    }
    // Words are indexed behind the log, and a file has no cluster.
    empty.removeIf(table -> table.startsWith("archive_text"));
    if (database == TestDatabase.SQLITE) {
      empty.removeIf(table -> table.startsWith("cluster_"));
    }
    assertThat(empty).isEmpty();
  }

  /// `./zonda test --fixture` writes it.
  @Test
  void aReleaseHasItsFixture() throws Exception {
    if (VersionFixture.isRelease()) {
      VersionFixture released = VersionFixture.ofThisVersion();
      assertThat(released.resources()).isDirectory();
      for (TestDatabase database : TestDatabase.all()) {
        Path data = Files.createDirectory(folder.resolve(database.name()));
        released.load(database, data);
        DatabaseMaintenance maintenance =
            new DatabaseMaintenance(data, FilledStores.settings(database, data));
        assertThat(maintenance.status().schema())
            .as("the schema of the fixture on " + database)
            .isEqualTo(database.dialect(data).schema().newest());
      }
    }
  }
}
