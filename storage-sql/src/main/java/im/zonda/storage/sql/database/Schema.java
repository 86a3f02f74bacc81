package im.zonda.storage.sql.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/// The schema migrations. Migration n upgrades version n-1 to n.
///
/// @param folder the folder of the resources, relative to this package
/// @param changes the names of the migrations in order, the first for version 1
public record Schema(String folder, List<String> changes) {
  /// The newest version that this server knows.
  public int newest() {
    return changes.size();
  }

  /// Reports an upgrade.
  @FunctionalInterface
  public interface Progress {
    /// The migration from one version to the next begins.
    void upgrading(int from, int to);
  }

  /// Upgrades the database to the newest version, each migration in a transaction.
  public void migrate(Connection connection, Dialect dialect) throws SQLException {
    migrate(connection, dialect, (from, to) -> {});
  }

  /// Upgrades the database to the newest version, each migration in a transaction.
  public void migrate(Connection connection, Dialect dialect, Progress progress)
      throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      for (int version = dialect.schemaVersion(connection) + 1; version <= newest(); version++) {
        progress.upgrading(version - 1, version);
        for (String sql : statements(changes.get(version - 1))) {
          statement.execute(sql);
        }
        dialect.recordSchemaVersion(connection, version);
        connection.commit();
      }
    } catch (SQLException | RuntimeException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  /// The statements of a resource; each ends with a semicolon at the end of a line.
  private List<String> statements(String change) {
    try (InputStream in = Schema.class.getResourceAsStream(folder + change)) {
      if (in == null) {
        throw new IllegalStateException("missing resource " + folder + change);
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return List.of(text.split(";\\s*\\R")).stream().filter(sql -> !sql.isBlank()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
