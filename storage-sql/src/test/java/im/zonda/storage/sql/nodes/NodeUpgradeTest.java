package im.zonda.storage.sql.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.Storage;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.storage.sql.database.Schema;
import im.zonda.storage.sql.mariadb.Mariadb;
import im.zonda.storage.sql.postgresql.Postgresql;
import im.zonda.storage.sql.server.DatabaseAddress;
import im.zonda.storage.sql.server.ServerDialect;
import im.zonda.storage.sql.server.ServerKind;
import im.zonda.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Nodes of two versions on one database, of which the newer one has one more migration.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#servers")
@Timeout(120)
class NodeUpgradeTest {
  private static final String COMPATIBLE = "test/V900__compatible.sql";
  private static final String INCOMPATIBLE = "test/V901__incompatible.sql";

  private final TestDatabase database;
  @TempDir Path folder;

  NodeUpgradeTest(TestDatabase database) {
    this.database = database;
  }

  /// The dialect of a node whose version has more migrations.
  private ServerDialect node(String name, String... more) {
    boolean postgresql = database == TestDatabase.POSTGRESQL;
    ServerKind kind = postgresql ? new Postgresql() : new Mariadb();
    Storage settings = database.emptySettings(folder, new Storage(true, true, 0, 512, true));
    List<String> changes = new ArrayList<>(kind.schema().changes());
    changes.addAll(List.of(more));
    return new ServerDialect(
        withSchema(kind, new Schema(kind.schema().folder(), changes)),
        DatabaseAddress.of(settings, postgresql ? Postgresql.PORT : Mariadb.PORT),
        settings,
        each -> each,
        TestDatabase.process(name));
  }

  private static ServerKind withSchema(ServerKind kind, Schema schema) {
    return (ServerKind)
        Proxy.newProxyInstance(
            ServerKind.class.getClassLoader(),
            new Class<?>[] {ServerKind.class},
            (_, method, arguments) -> {
              if (method.getName().equals("schema")) {
                return schema;
              }
              try {
                return method.invoke(kind, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static Connection open(ServerDialect node) throws SQLException {
    Connection connection = node.open();
    node.opened(connection);
    return connection;
  }

  private static void write(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "insert into account (domain, local, created) values ('example.net', '" + name + "', 0)");
    }
  }

  private long accounts() throws SQLException {
    return database.number(folder, "select count(*) from account");
  }

  @Test
  void nodesOfTheVersionBeforeGoOnAfterACompatibleMigration() throws SQLException {
    ServerDialect older = node("a");
    Connection first = open(older);
    write(first, "before");
    try (Connection second = open(node("b", COMPATIBLE))) {
      write(second, "new");
      write(first, "old");
      database.endSession(first);
      assertThatThrownBy(() -> write(first, "lost")).isInstanceOf(SQLException.class);
      try (Connection recovered = older.recover(first)) { // the same process goes on
        write(recovered, "recovered");
        assertThat(accounts()).isEqualTo(4);
      }
    }
  }

  @Test
  void aNodeOfTheVersionBeforeStartsAgainAfterACompatibleMigration() throws SQLException {
    open(node("a")).close();
    open(node("b", COMPATIBLE)).close();
    try (Connection back = open(node("a"))) {
      write(back, "back");
    }
    open(node("b", COMPATIBLE)).close();
    assertThat(accounts()).isOne();
  }

  @Test
  void anIncompatibleMigrationWaitsUntilAllNodesAreStopped() throws SQLException {
    ServerDialect newer = node("b", COMPATIBLE, INCOMPATIBLE);
    try (Connection first = open(node("a"))) {
      assertThatThrownBy(() -> open(newer))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("must be upgraded, but nodes of a cluster use it")
          .hasMessageNotContaining("\n");
      write(first, "untouched");
    }
  }

  @Test
  void aNodeOfTheVersionBeforeRefusesAnIncompatibleMigration() throws SQLException {
    open(node("a")).close();
    database.execute(folder, "update zonda_schema set version = 1000, oldest = 1000");
    assertThatThrownBy(() -> open(node("a")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("was written by a newer version of this server (schema 1000")
        .hasMessageNotContaining("\n");
  }

  @Test
  void theOldestVersionIsThatBeforeTheCompatibleOnes() throws SQLException {
    open(node("b", COMPATIBLE)).close();
    Schema known = node("a").schema();
    assertThat(database.number(folder, "select version from zonda_schema"))
        .isEqualTo(known.newest() + 1);
    assertThat(database.number(folder, "select oldest from zonda_schema"))
        .isEqualTo(known.oldest());
  }
}
