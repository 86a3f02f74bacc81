package im.zonda.storage.sql;

import im.zonda.testkit.database.DatabaseServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The databases of a server that tests have started. Each folder has one of its own. When the
/// folder has been deleted, which JUnit does after a test, its database is emptied and used for
/// another folder: to create one takes long.
final class DatabasePool {
  /// The tables but those that always have one row.
  private static final String TABLES =
      """
      select table_name from information_schema.tables
      where table_schema in ('public', database_name)
        and table_name not in ('zonda_schema', 'archive_mark', 'message_id')
      """;

  private static final String SHARED = "zonda_";

  private final TestDatabase kind;
  private final DatabaseServer server;

  /// The folders, by the names of their databases.
  private final Map<String, Path> folders = new LinkedHashMap<>();

  DatabasePool(TestDatabase kind, DatabaseServer server) {
    this.kind = kind;
    this.server = server;
  }

  DatabaseServer server() {
    return server;
  }

  /// The name of the folder's database. It has no rows if it is its first use in the folder.
  synchronized String name(Path folder) {
    String known = find(folder);
    if (known != null) {
      return known;
    }
    for (Map.Entry<String, Path> each : folders.entrySet()) {
      if (isFree(each.getKey(), each.getValue())) {
        reset(each.getKey());
        each.setValue(make(folder));
        return each.getKey();
      }
    }
    return create(folder, SHARED);
  }

  /// The name of the folder's database, which is created, without tables, if the folder has none.
  synchronized String emptyName(Path folder) {
    String known = find(folder);
    return known != null ? known : create(folder, "empty_");
  }

  /// Whether the folder is gone and no store is open that a failed test has left.
  private boolean isFree(String name, Path folder) {
    try {
      return name.startsWith(SHARED) && Files.notExists(folder) && server.lockHolder(name) <= 0;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private @Nullable String find(Path folder) {
    for (Map.Entry<String, Path> each : folders.entrySet()) {
      if (each.getValue().equals(folder)) {
        return each.getKey();
      }
    }
    return null;
  }

  private String create(Path folder, String prefix) {
    String name = prefix + folders.size();
    server.createDatabase(name);
    folders.put(name, make(folder));
    return name;
  }

  private static Path make(Path folder) {
    try {
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void reset(String name) {
    try (Connection connection = server.connect(name);
        Statement statement = connection.createStatement()) {
      List<String> tables = tables(statement, name);
      if (tables.isEmpty()) {
        return; // no store has been opened in it
      }
      if (kind == TestDatabase.POSTGRESQL) {
        statement.execute("truncate " + String.join(", ", tables) + " restart identity");
      } else {
        // To truncate a table is to create its file again; what a test leaves is few rows.
        connection.setAutoCommit(false);
        statement.execute("set foreign_key_checks = 0");
        for (String table : tables) {
          statement.execute("delete from " + table);
        }
        connection.commit();
        connection.setAutoCommit(true);
      }
      statement.execute("update archive_mark set indexed_to = 0, text_to = 0");
      statement.execute("update message_id set next = 0");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> tables(Statement statement, String name) throws SQLException {
    List<String> tables = new ArrayList<>();
    try (ResultSet row =
        statement.executeQuery(TABLES.replace("database_name", "'" + name + "'"))) {
      while (row.next()) {
        tables.add(row.getString(1));
      }
    }
    return tables;
  }
}
