package im.zonda.storage.sql;

import im.zonda.config.ServerConfig.DatabaseTls;
import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.storage.sql.database.Dialect;
import im.zonda.storage.sql.server.NodeProcess;
import im.zonda.testkit.database.DatabaseServer;
import im.zonda.testkit.database.MariadbServer;
import im.zonda.testkit.database.PostgresqlServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// The kinds of databases that tests run on. Each folder has a database of its own: SQLite a file
/// in it, a server one of its [DatabasePool]. Servers are started by the first test that needs them
/// and stop with the JVM.
public enum TestDatabase {
  SQLITE,
  POSTGRESQL,
  MARIADB;

  private static final Map<TestDatabase, DatabasePool> POOLS = new ConcurrentHashMap<>();

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

  /// The settings with the database of a folder. On a server it has no rows; it is created, without
  /// tables, if none is free.
  public Storage settings(Path folder, Storage settings) {
    return this == SQLITE ? settings : withDatabase(settings, pool().name(folder));
  }

  /// The same with a database that is created now, without tables. For tests that change tables.
  public Storage emptySettings(Path folder, Storage settings) {
    return this == SQLITE ? settings : withDatabase(settings, pool().emptyName(folder));
  }

  private Storage withDatabase(Storage settings, String name) {
    return settings.withDatabase(
        server().url(name), DatabaseServer.USER, DatabaseServer.PASSWORD, DatabaseTls.OFF);
  }

  /// The database of a folder, as a server opens it; created, without tables, if there is none.
  public Dialect dialect(Path folder) {
    return dialect(folder, UnaryOperator.identity());
  }

  /// The same with a wrapper around each connection.
  public Dialect dialect(Path folder, UnaryOperator<Connection> wrapper) {
    Storage settings = emptySettings(folder, new Storage(true, true, 0, 512));
    return Databases.dialect(folder, settings, wrapper);
  }

  /// Opens the stores with a wrapper around each connection.
  public static SqlStores open(Path folder, Storage settings, UnaryOperator<Connection> wrapper) {
    return SqlStores.open(folder, settings, Limits.defaults(), InstantSource.system(), wrapper);
  }

  /// Opens a node of a cluster with a wrapper around each connection.
  public static SqlStores openNode(
      Path folder, Storage settings, String node, UnaryOperator<Connection> wrapper) {
    return SqlStores.openNode(
        folder, settings, Limits.defaults(), InstantSource.system(), process(node), wrapper);
  }

  /// A process of a node that takes the secret of its cluster.
  public static NodeProcess process(String node) {
    return new NodeProcess(node, "5e".repeat(32), false);
  }

  /// Has the database server end the session of a connection.
  public void endSession(Connection connection) throws SQLException {
    String id = this == MARIADB ? "select connection_id()" : "select pg_backend_pid()";
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(id)) {
      row.next();
      server().endSession(row.getLong(1));
    }
  }

  /// Opens a connection to the database of a folder.
  public Connection connect(Path folder) throws SQLException {
    return this == SQLITE
        ? DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("zonda.db"))
        : server().connect(pool().name(folder));
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
    return pool().server();
  }

  private DatabasePool pool() {
    return POOLS.computeIfAbsent(this, TestDatabase::newPool);
  }

  private static DatabasePool newPool(TestDatabase kind) {
    return new DatabasePool(
        kind, kind == POSTGRESQL ? PostgresqlServer.shared() : MariadbServer.shared());
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
