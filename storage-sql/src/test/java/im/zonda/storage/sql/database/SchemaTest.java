package im.zonda.storage.sql.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.storage.sql.sqlite.SqliteDialect;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchemaTest {
  private static final String FIRST = "V001__one.sql";
  private static final String SECOND = "V002__two.sql";
  private static final String BROKEN = "V003__broken.sql";

  private static final Dialect DIALECT = new SqliteDialect(Path.of("none"), each -> each);

  private static Schema schema(String... changes) {
    return new Schema("schema/test/", List.of(changes));
  }

  @Test
  void changesAreMadeOnceAndInOrder() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:")) {
      schema(FIRST).migrate(connection, DIALECT);
      assertThat(DIALECT.schemaVersion(connection)).isEqualTo(1);
      schema(FIRST, SECOND).migrate(connection, DIALECT);
      schema(FIRST, SECOND).migrate(connection, DIALECT);
      assertThat(DIALECT.schemaVersion(connection)).isEqualTo(2);
      assertThat(one(connection, "select count(*) from fruit")).isEqualTo(2);
    }
  }

  @Test
  void aChangeThatFailsLeavesTheVersionBefore() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:")) {
      assertThatThrownBy(() -> schema(FIRST, SECOND, BROKEN).migrate(connection, DIALECT))
          .isInstanceOf(SQLException.class);
      assertThat(DIALECT.schemaVersion(connection)).isEqualTo(2);
      assertThat(one(connection, "select count(*) from fruit")).isEqualTo(2);
      assertThat(connection.getAutoCommit()).isTrue();
    }
  }

  @Test
  void everyMigrationIsThere() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:")) {
      Schema ours = SqliteDialect.SCHEMA;
      ours.migrate(connection, DIALECT);
      assertThat(DIALECT.schemaVersion(connection)).isEqualTo(ours.newest());
    }
  }

  private static int one(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getInt(1) : -1;
    }
  }
}
