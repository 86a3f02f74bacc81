package im.zonda.storage.sql.mariadb;

import im.zonda.config.ServerConfig.DatabaseTls;
import im.zonda.storage.sql.database.Schema;
import im.zonda.storage.sql.database.SqlSyntax;
import im.zonda.storage.sql.server.DatabaseAddress;
import im.zonda.storage.sql.server.DatabaseLock;
import im.zonda.storage.sql.server.ServerDialect;
import im.zonda.storage.sql.server.ServerKind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.mariadb.jdbc.Driver;
import org.mariadb.jdbc.export.MaxAllowedPacketException;

/// MariaDB through its own driver.
public final class Mariadb implements ServerKind {
  /// The port of MariaDB.
  public static final int PORT = 3_306;

  private static final Schema SCHEMA =
      new Schema(
          "schema/mariadb/",
          List.of(
              "V001__all.sql",
              "V002__cluster.sql",
              "V003__cluster_nodes.sql",
              "V004__origins.sql",
              "V005__cluster_settings.sql",
              "V006__pubsub.sql",
              "V007__pubsub_service.sql",
              "V008__pubsub_collections.sql",
              "V009__uploads.sql",
              "V010__item_order.sql",
              "V011__removed_accounts.sql",
              "V012__removed_rooms.sql",
              "V013__audit.sql",
              "V014__lists.sql",
              "V015__journal.sql",
              "V016__history.sql",
              "V018__traces.sql"));

  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\..*MariaDB.*");
  private static final int OLDEST = 1_006;

  /// The error of a session that is not there (`ER_NO_SUCH_THREAD`).
  private static final int NO_SUCH_SESSION = 1_094;

  /// Locks are those of the whole server, so the name has the database in it. That of a node ends
  /// with its number.
  private static final String TAKE_LOCK =
      "select get_lock(concat('zonda.', left(sha2(database(), 256), 32), ?), 0)";

  private static final String RELEASE_LOCK =
      "select release_lock(concat('zonda.', left(sha2(database(), 256), 32), ?))";

  private static final String LOCK_HOLDER =
      "select is_used_lock(concat('zonda.', left(sha2(database(), 256), 32), ?))";

  private static final String NODES =
      """
      with recursive node (n) as (select 0 union all select n + 1 from node where n < 63)
      select count(*) from node
      where is_used_lock(concat('zonda.', left(sha2(database(), 256), 32), '.', n)) is not null
      """;

  private static final List<String> SESSION =
      List.of(
          "set sql_mode = 'STRICT_ALL_TABLES,ANSI_QUOTES,NO_ENGINE_SUBSTITUTION,"
              + "ERROR_FOR_DIVISION_BY_ZERO,NO_ZERO_DATE,NO_ZERO_IN_DATE'",
          "set names utf8mb4 collate utf8mb4_nopad_bin");

  private static final String RISKS =
      """
      select concat('innodb_flush_log_at_trx_commit = ', @@innodb_flush_log_at_trx_commit)
      where @@innodb_flush_log_at_trx_commit <> 1
      """;

  /// A statement was above `max_allowed_packet`. The server closes the connection.
  private static final int TOO_LARGE_PACKET = 1153;

  private final SqlSyntax syntax = new MariadbSyntax();

  /// The `max_allowed_packet` of the server when a connection was last opened; 0 before. The driver
  /// gets it, because a server that is sent more may close the connection without saying why.
  private volatile int largestPacket;

  @Override
  public SqlSyntax syntax() {
    return syntax;
  }

  @Override
  public Schema schema() {
    return SCHEMA;
  }

  @Override
  public Connection connect(DatabaseAddress address) throws SQLException {
    Properties properties = new Properties();
    String password = address.password();
    properties.setProperty("user", address.user());
    if (password != null) {
      properties.setProperty("password", password);
    }
    properties.setProperty("connectTimeout", Integer.toString(ServerDialect.CALL_MILLIS / 2));
    properties.setProperty("socketTimeout", Integer.toString(ServerDialect.CALL_MILLIS));
    properties.setProperty("connectionAttributes", "program_name:zonda");
    // Bulk execution takes `insert … values` only.
    properties.setProperty("useBulkStmts", "false");
    setTls(properties, address);
    int known = largestPacket;
    Connection connection = connect(address, properties, known);
    try {
      int largest = Math.toIntExact(number(connection, "select @@max_allowed_packet"));
      largestPacket = largest;
      if (largest == known) {
        return connection;
      }
      connection.close();
      return connect(address, properties, largest);
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /// @param largestPacket what the driver sends at most; 0 for no limit
  private static Connection connect(
      DatabaseAddress address, Properties properties, int largestPacket) throws SQLException {
    if (largestPacket > 0) {
      properties.setProperty("maxAllowedPacket", Integer.toString(largestPacket));
    }
    Connection connection = new Driver().connect("jdbc:" + address, properties);
    if (connection == null) {
      throw new SQLException("the driver does not accept " + address);
    }
    return connection;
  }

  private static void setTls(Properties properties, DatabaseAddress address) {
    properties.setProperty(
        "sslMode",
        switch (address.tls()) {
          case OFF -> "disable";
          case REQUIRE -> "trust";
          case VERIFY -> "verify-full";
        });
    if (address.authorities() != null) {
      properties.setProperty("serverSslCert", address.authorities().toString());
    } else if (address.tls() == DatabaseTls.VERIFY) {
      // Without a list the driver also accepts a server that knows the hash of the password.
      properties.setProperty("trustStore", runtimeAuthorities().toString());
    }
  }

  /// The file with the certificate authorities of the Java runtime.
  private static Path runtimeAuthorities() {
    String configured = System.getProperty("javax.net.ssl.trustStore");
    return configured == null
        ? Path.of(System.getProperty("java.home"), "lib", "security", "cacerts")
        : Path.of(configured);
  }

  @Override
  public long session(Connection connection) throws SQLException {
    return number(connection, "select connection_id()");
  }

  @Override
  public void prepareWriter(Connection connection) throws SQLException {
    prepare(connection, "read committed");
  }

  /// A query of several statements must see one state of the database.
  @Override
  public void prepareReader(Connection connection) throws SQLException {
    prepare(connection, "repeatable read");
    try (Statement statement = connection.createStatement()) {
      // The server ends a query, also one that waits for a lock, before the driver would close the
      // connection and leave its session behind.
      statement.execute("set max_statement_time = " + (ServerDialect.CALL_MILLIS / 1_000 - 1));
    }
  }

  @Override
  public void allowLongQueries(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set max_statement_time = 0");
    }
  }

  private static void prepare(Connection connection, String isolation) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set session transaction isolation level " + isolation);
      for (String sql : SESSION) {
        statement.execute(sql);
      }
    }
  }

  @Override
  public void prepareNode(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set idle_write_transaction_timeout = 5");
      statement.execute(
          "set innodb_lock_wait_timeout = " + (ServerDialect.CALL_MILLIS / 1_000 - 2));
    }
  }

  @Override
  public boolean tryLock(Connection connection, int lock) throws SQLException {
    return call(connection, TAKE_LOCK, lock) == 1;
  }

  @Override
  public void unlock(Connection connection, int lock) throws SQLException {
    long _ = call(connection, RELEASE_LOCK, lock);
  }

  @Override
  public long lockHolder(Connection connection, int lock) throws SQLException {
    return call(connection, LOCK_HOLDER, lock);
  }

  private static long call(Connection connection, String sql, int lock) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, lock == DatabaseLock.DATABASE ? "" : "." + lock);
      try (ResultSet row = statement.executeQuery()) {
        long found = row.next() ? row.getLong(1) : -1;
        return row.wasNull() ? -1 : found;
      }
    }
  }

  @Override
  public boolean hasNodes(Connection connection) throws SQLException {
    return number(connection, NODES) > 0;
  }

  @Override
  public void endSession(Connection connection, long session) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("kill connection ?")) {
      statement.setLong(1, session);
      statement.execute();
    } catch (SQLException e) {
      if (e.getErrorCode() != NO_SUCH_SESSION) {
        throw e;
      }
    }
  }

  @Override
  public @Nullable String unusable(Connection connection) throws SQLException {
    String version = text(connection, "select version()");
    Matcher matcher = VERSION.matcher(version);
    boolean known =
        matcher.matches()
            && Integer.parseInt(matcher.group(1)) * 100 + Integer.parseInt(matcher.group(2))
                >= OLDEST;
    return known ? null : "is on a server of version " + version + ", not MariaDB 10.6 or later";
  }

  @Override
  public String risks(Connection connection) throws SQLException {
    return text(connection, RISKS);
  }

  @Override
  public String tables() {
    return "select table_name from information_schema.tables where table_schema = database()";
  }

  @Override
  public String size() {
    return "select coalesce(sum(data_length + index_length), 0) from information_schema.tables"
        + " where table_schema = database()";
  }

  @Override
  public Failure failure(SQLException failure) {
    String state = failure.getSQLState() == null ? "" : failure.getSQLState();
    if (failure.getCause() instanceof MaxAllowedPacketException) {
      return Failure.STATEMENT; // the driver knows the server's limit
    }
    return switch (failure.getErrorCode()) {
      case 1021, 1114 -> Failure.FULL;
      case 1045, 1698 -> Failure.LOGIN;
      case 1044, 1049 -> Failure.NO_DATABASE;
      case 1142, 1143, 1227, 1370 -> Failure.PRIVILEGE;
      case TOO_LARGE_PACKET, 1071, 1118, 1300, 1301, 1366, 1390 -> Failure.STATEMENT;
      case 1026, 1030, 1053, 1205, 1213, 1290, 1836 -> Failure.AWAY;
      default ->
          switch (state.length() < 2 ? "" : state.substring(0, 2)) {
            case "22", "23" -> Failure.STATEMENT;
            case "08", "40", "70" -> Failure.AWAY;
            default -> Failure.OTHER;
          };
    };
  }

  /// A deadlock, or a lock that another session holds for long.
  @Override
  public boolean isConflict(SQLException failure) {
    return failure.getErrorCode() == 1213 || failure.getErrorCode() == 1205;
  }

  private static long number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      long found = row.next() ? row.getLong(1) : -1;
      return row.wasNull() ? -1 : found;
    }
  }

  private static String text(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      String found = row.next() ? row.getString(1) : null;
      return found == null ? "" : found;
    }
  }
}
