package im.zonda.storage.sql.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.Storage;
import im.zonda.storage.sql.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ForeignDatabaseTest {
  @TempDir private Path folder;

  static List<TestDatabase> databases() {
    return TestDatabase.all();
  }

  private ForeignDatabase open(TestDatabase kind, String... statements)
      throws IOException, SQLException {
    Storage settings = kind.emptySettings(folder, new Storage(true, true, 0, 512));
    Path file = folder.resolve("other.db");
    try (Connection connection =
            kind == TestDatabase.SQLITE
                ? DriverManager.getConnection("jdbc:sqlite:" + file)
                : kind.connect(folder);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
      if (kind == TestDatabase.POSTGRESQL) {
        // The user of the settings is another one; it might write, so that reading alone stops it.
        statement.execute("grant all on all tables in schema public to public");
      }
    }
    return kind == TestDatabase.SQLITE
        ? ForeignDatabase.openFile(file, folder)
        : ForeignDatabase.openServer(settings);
  }

  /// The names are those of Prosody, which are words of SQL.
  @ParameterizedTest
  @MethodSource("databases")
  void quotedNamesAreColumns(TestDatabase kind) throws IOException, SQLException {
    String quote = kind == TestDatabase.MARIADB ? "`" : "\"";
    String create =
        "create table Prosody (\"user\" varchar(40), \"key\" varchar(40), \"when\" bigint)";
    List<String> found = new ArrayList<>();
    try (ForeignDatabase database =
        open(
            kind,
            create.replace("\"", quote),
            "insert into Prosody values ('anna', 'k', 5)",
            "insert into Prosody values ('bert', null, null)")) {
      assertThat(database.hasTable("prosody")).isTrue();
      assertThat(database.hasTable("other")).isFalse();
      assertThat(database.hasColumn("prosody", "when")).isTrue();
      assertThat(database.hasColumn("prosody", "with")).isFalse();
      database.query(
          "select \"user\", \"key\", \"when\" from Prosody where \"user\" > ?"
              + " order by \"user\" limit ?",
          row -> found.add(row.text(1) + " " + row.text(2) + " " + row.number(3)),
          "",
          10L);
      assertThat(database.number("select count(*) from Prosody where \"user\" = ?", "anna"))
          .isEqualTo(1);
      assertThat(database.number("select \"when\" from Prosody where \"user\" = ?", "x")).isZero();
    }
    assertThat(found).containsExactly("anna k 5", "bert null 0");
  }

  @ParameterizedTest
  @MethodSource("databases")
  void nothingCanBeWritten(TestDatabase kind) throws IOException, SQLException {
    try (ForeignDatabase database = open(kind, "create table other (a bigint)")) {
      assertThatThrownBy(() -> database.query("insert into other values (1)", row -> true))
          .isInstanceOf(IOException.class);
    }
    try (ForeignDatabase database = open(kind)) {
      assertThat(database.number("select count(*) from other")).isZero();
    }
  }

  @Test
  void whatIsNoDatabaseIsAnError() throws IOException {
    Path file = Files.writeString(folder.resolve("text"), "not a database, but text of that size");
    assertThatThrownBy(() -> ForeignDatabase.openFile(file, folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString());
    assertThatThrownBy(() -> ForeignDatabase.openFile(folder.resolve("missing"), folder))
        .isInstanceOf(IOException.class);
    assertThat(folder.resolve("missing")).doesNotExist();
  }
}
