package im.zonda.storage.sql.copy;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.storage.sql.TestDatabase;
import im.zonda.storage.sql.database.Dialect;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// The copy knows every table and column of each kind of database.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#all")
@Timeout(120)
class CopiedTablesTest {
  private final TestDatabase database;
  @TempDir Path folder;

  CopiedTablesTest(TestDatabase database) {
    this.database = database;
  }

  @Test
  void everyTableIsCopied() throws SQLException {
    Dialect dialect = database.dialect(folder);
    try (Connection connection = dialect.open()) {
      Set<String> tables = new HashSet<>(dialect.tables(connection));
      // The index of words is filled again; the others have the version and running processes.
      tables.removeIf(name -> name.startsWith("archive_text"));
      tables.removeAll(Set.of("zonda_schema", "cluster_row", "cluster_address"));
      assertThat(CopiedTables.ALL.stream().map(CopiedTable::name))
          .containsExactlyInAnyOrderElementsOf(tables);
    }
  }

  @Test
  void everyColumnIsCopied() throws SQLException {
    try (Connection connection = database.dialect(folder).open()) {
      for (CopiedTable table : CopiedTables.ALL) {
        List<String> found = new ArrayList<>();
        try (Statement statement = connection.createStatement();
            ResultSet row = statement.executeQuery("select * from " + table.name())) {
          for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
            found.add(row.getMetaData().getColumnName(i));
          }
        }
        assertThat(table.columns().stream().map(Column::name))
            .as(table.name())
            .containsExactlyInAnyOrderElementsOf(found);
      }
    }
  }

  /// A row of each table can be read by its key without reading the table.
  @Test
  void theKeyIsTheBeginningOfAnIndex() throws SQLException {
    try (Connection connection = database.dialect(folder).open()) {
      for (CopiedTable table : CopiedTables.ALL) {
        Set<String> indexed = new HashSet<>();
        String catalog = database == TestDatabase.SQLITE ? null : connection.getCatalog();
        try (ResultSet row =
            connection.getMetaData().getIndexInfo(catalog, null, table.name(), false, true)) {
          while (row.next()) {
            indexed.add(row.getInt("ORDINAL_POSITION") + " " + row.getString("COLUMN_NAME"));
          }
        }
        boolean isRowid = database == TestDatabase.SQLITE && table.unique() && table.keys() == 1;
        if (!isRowid) { // which SQLite does not count as an index
          assertThat(indexed)
              .as(table.name())
              .anyMatch(each -> each.endsWith(" " + table.columns().getFirst().name()));
        }
      }
    }
  }
}
