package im.zonda.storage.sql.database;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.storage.sql.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// An upgrade that is interrupted after any of its statements is continued by the next start.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#all")
@Timeout(300)
class InterruptedUpgradeTest {
  private final TestDatabase database;
  @TempDir Path folder;

  InterruptedUpgradeTest(TestDatabase database) {
    this.database = database;
  }

  @Test
  void anUpgradeIsContinuedWhereverItEnded() throws SQLException {
    Dialect dialect = database.dialect(folder);
    Schema all = dialect.schema();
    boolean file = database == TestDatabase.SQLITE;
    try (Connection connection = file ? database.connect(folder) : dialect.take()) {
      if (!file) {
        createVersion(connection);
      }
      for (int version = 1; version <= all.newest(); version++) {
        List<String> statements = all.statements(version);
        for (int done = 1; done <= statements.size(); done++) {
          interrupt(connection, statements.subList(0, done));
        }
        assertThat(dialect.schemaVersion(connection)).isEqualTo(version - 1);
        new Schema(all.folder(), all.changes().subList(0, version)).migrate(connection, dialect);
        assertThat(dialect.schemaVersion(connection)).isEqualTo(version);
      }
    }
  }

  private static void createVersion(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "create table zonda_schema (version integer not null, generation bigint not null,"
              + " oldest integer not null default 0)");
      statement.execute("insert into zonda_schema (version, generation) values (0, 0)");
    }
  }

  /// What is left of a migration whose process is killed after some statements.
  private static void interrupt(Connection connection, List<String> statements)
      throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
    connection.rollback();
    connection.setAutoCommit(true);
  }
}
