package im.zonda.storage.sql;

import im.zonda.config.ServerConfig;
import im.zonda.config.ServerConfig.DatabaseTls;
import im.zonda.storage.sql.database.Dialect;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// The kinds of databases that tests run on. Each folder has a database of its own: SQLite a file
/// in it, a server one whose name is made of the path. Servers are started by the first test that
/// needs them and stop with the JVM.
public enum TestDatabase {
  SQLITE,
  POSTGRESQL,
  MARIADB;

  private static final Set<String> CREATED = ConcurrentHashMap.newKeySet();

  /// A failure that the database reports.
  public enum Fault {
    /// Nothing can be written.
    WRITE,
    /// The disk is full.
    FULL,
    /// Another session is in the way.
    BUSY,
    /// The statement violates a constraint.
    CONSTRAINT
  }

  /// Those that the tests run on: MariaDB only if `zonda.test.mariadb` is set.
  public static List<TestDatabase> all() {
    return Boolean.getBoolean("zonda.test.mariadb")
        ? List.of(values())
        : List.of(SQLITE, POSTGRESQL);
  }

  /// Those that are servers.
  public static List<TestDatabase> servers() {
    return all().stream().filter(each -> each != SQLITE).toList();
  }

  /// The settings with the database of a folder, which is created if it does not exist.
  public ServerConfig.Storage settings(Path folder, ServerConfig.Storage settings) {
    if (this == SQLITE) {
      return settings;
    }
    String name = name(folder);
    if (CREATED.add(this + name)) {
      server().createDatabase(name);
    }
    return settings.withDatabase(
        server().url(name), DatabaseServer.USER, DatabaseServer.PASSWORD, DatabaseTls.OFF);
  }

  /// The database of a folder, as a server opens it.
  public Dialect dialect(Path folder) {
    return dialect(folder, UnaryOperator.identity());
  }

  /// The same with a wrapper around each connection.
  public Dialect dialect(Path folder, UnaryOperator<Connection> wrapper) {
    ServerConfig.Storage settings = settings(folder, new ServerConfig.Storage(true, true, 0, 512));
    return Databases.dialect(folder, settings, wrapper);
  }

  /// Opens a connection to the database of a folder.
  public Connection connect(Path folder) throws SQLException {
    return this == SQLITE
        ? DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("zonda.db"))
        : server().connect(name(folder));
  }

  /// Executes statements in the database of a folder.
  public void execute(Path folder, String... statements) throws SQLException {
    try (Connection connection = connect(folder);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /// The number that a query of the database of a folder finds.
  public long number(Path folder, String query) throws SQLException {
    try (Connection connection = connect(folder);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getLong(1) : -1;
    }
  }

  /// The server.
  DatabaseServer server() {
    return this == POSTGRESQL ? PostgresqlServer.shared() : MariadbServer.shared();
  }

  private static String name(Path folder) {
    return "zonda_" + Integer.toUnsignedString(folder.toAbsolutePath().hashCode(), 36);
  }

  /// The exception of the driver.
  public SQLException failure(Fault fault, String text) {
    return switch (this) {
      case SQLITE ->
          new SQLiteException(
              text,
              switch (fault) {
                case WRITE -> SQLiteErrorCode.SQLITE_IOERR_WRITE;
                case FULL -> SQLiteErrorCode.SQLITE_FULL;
                case BUSY -> SQLiteErrorCode.SQLITE_BUSY;
                case CONSTRAINT -> SQLiteErrorCode.SQLITE_CONSTRAINT;
              });
      case POSTGRESQL ->
          new SQLException(
              text,
              switch (fault) {
                case WRITE -> "58030";
                case FULL -> "53100";
                case BUSY -> "40P01";
                case CONSTRAINT -> "23505";
              });
      case MARIADB ->
          switch (fault) {
            case WRITE -> new SQLException(text, "HY000", 1026);
            case FULL -> new SQLException(text, "HY000", 1114);
            case BUSY -> new SQLException(text, "HY000", 1205);
            case CONSTRAINT -> new SQLException(text, "23000", 1062);
          };
    };
  }
}
