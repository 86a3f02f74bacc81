package im.zonda.storage.sql.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.storage.sql.TestDatabase;
import im.zonda.storage.sql.sqlite.SqliteDialect;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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

  /// A resource that is not listed is never run, and what it makes is missed only by a plan.
  @ParameterizedTest
  @MethodSource("im.zonda.storage.sql.TestDatabase#all")
  void everyResourceIsAMigration(TestDatabase database, @TempDir Path folder) throws Exception {
    Schema schema = database.dialect(folder).schema();
    URL first = Schema.class.getResource(schema.folder() + schema.changes().getFirst());
    Path resources = Path.of(Objects.requireNonNull(first).toURI()).resolveSibling(".");
    try (Stream<Path> all = Files.list(resources)) {
      assertThat(all.map(each -> each.getFileName().toString()).sorted())
          .containsExactlyElementsOf(schema.changes());
    }
  }

  private static int one(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getInt(1) : -1;
    }
  }
}
