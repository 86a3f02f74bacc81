package im.zonda.storage.sql.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

/// The schema migrations. Migration n upgrades version n-1 to n.
///
/// PostgreSQL and SQLite run each migration in one transaction. MariaDB commits at each statement
/// that changes a table, so its statements have no effect the second time: an interrupted migration
/// is run again from its beginning.
///
/// @param folder the folder of the resources, relative to this package
/// @param changes the names of the migrations in order, the first for version 1
public record Schema(String folder, List<String> changes) {
  /// The first line of a migration after which servers of the version before can go on using the
  /// database, and start on it: they do not need, and do not harm, what it adds.
  private static final String COMPATIBLE = "-- compatible\n";

  /// The newest version that this server knows.
  public int newest() {
    return changes.size();
  }

  /// The oldest version whose servers can use a database of the newest one.
  public int oldest() {
    return oldest(newest());
  }

  private int oldest(int version) {
    int oldest = version;
    while (oldest > 1 && text(oldest).startsWith(COMPATIBLE)) {
      oldest--;
    }
    return oldest;
  }

  /// Reports an upgrade.
  @FunctionalInterface
  public interface Progress {
    /// The migration from one version to the next begins.
    void upgrading(int from, int to);
  }

  /// Upgrades the database to the newest version.
  public void migrate(Connection connection, Dialect dialect) throws SQLException {
    migrate(connection, dialect, (from, to) -> {});
  }

  /// Upgrades the database to the newest version. After an interruption the next call continues.
  public void migrate(Connection connection, Dialect dialect, Progress progress)
      throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      for (int version = dialect.schemaVersion(connection) + 1; version <= newest(); version++) {
        progress.upgrading(version - 1, version);
        for (String sql : statements(version)) {
          statement.execute(sql);
        }
        dialect.recordSchemaVersion(connection, version, oldest(version));
        connection.commit();
      }
    } catch (SQLException | RuntimeException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  /// The statements of the migration to a version; each ends with a semicolon at the end of a line.
  public List<String> statements(int version) {
    return Stream.of(text(version).split(";\\s*\\R")).filter(sql -> !sql.isBlank()).toList();
  }

  private String text(int version) {
    String change = changes.get(version - 1);
    try (InputStream in = Schema.class.getResourceAsStream(folder + change)) {
      if (in == null) {
        throw new IllegalStateException("missing resource " + folder + change);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
