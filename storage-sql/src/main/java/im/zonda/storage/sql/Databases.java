package im.zonda.storage.sql;

import im.zonda.config.Storage;
import im.zonda.storage.sql.database.Dialect;
import im.zonda.storage.sql.mariadb.Mariadb;
import im.zonda.storage.sql.postgresql.Postgresql;
import im.zonda.storage.sql.server.DatabaseAddress;
import im.zonda.storage.sql.server.NodeProcess;
import im.zonda.storage.sql.server.ServerDialect;
import im.zonda.storage.sql.server.ServerKind;
import im.zonda.storage.sql.server.SqlClusterRows;
import im.zonda.storage.sql.sqlite.SqliteDialect;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The database that the configuration names. The driver of another kind is not loaded.
final class Databases {
  private static final String FILE = "sqlite:";

  private Databases() {}

  /// The database.
  ///
  /// @param data the data folder
  /// @param wrapper wraps each connection
  static Dialect dialect(Path data, Storage settings, UnaryOperator<Connection> wrapper) {
    return dialect(data, settings, wrapper, null);
  }

  /// The database, as one of several nodes uses it.
  ///
  /// @param node this process as a node, or null without a cluster
  /// @throws IllegalArgumentException if there is a node, but the database is a file
  static Dialect dialect(
      Path data, Storage settings, UnaryOperator<Connection> wrapper, @Nullable NodeProcess node) {
    String url = settings.url();
    if (isFile(settings)) {
      if (node != null) {
        throw new IllegalArgumentException("a cluster cannot use " + url);
      }
      return new SqliteDialect(data.resolve(url.substring(FILE.length())).normalize(), wrapper);
    }
    return url.startsWith("postgresql:")
        ? server(settings, new Postgresql(), Postgresql.PORT, wrapper, node)
        : server(settings, new Mariadb(), Mariadb.PORT, wrapper, node);
  }

  /// Whether the database is a file, which SQLite opens.
  static boolean isFile(Storage settings) {
    return settings.url().startsWith(FILE);
  }

  /// The row of a cluster in that database, which is on a server.
  static SqlClusterRows clusterRows(Storage settings, String cluster) {
    return settings.url().startsWith("postgresql:")
        ? new SqlClusterRows(
            new Postgresql(), DatabaseAddress.of(settings, Postgresql.PORT), cluster)
        : new SqlClusterRows(new Mariadb(), DatabaseAddress.of(settings, Mariadb.PORT), cluster);
  }

  private static Dialect server(
      Storage settings,
      ServerKind kind,
      int port,
      UnaryOperator<Connection> wrapper,
      @Nullable NodeProcess node) {
    DatabaseAddress address = DatabaseAddress.of(settings, port);
    return new ServerDialect(kind, address, settings, wrapper, node);
  }
}
