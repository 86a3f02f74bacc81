package im.zonda.storage.sql.postgresql;

import im.zonda.config.ServerConfig.DatabaseTls;
import im.zonda.storage.sql.database.Schema;
import im.zonda.storage.sql.database.SqlSyntax;
import im.zonda.storage.sql.server.DatabaseAddress;
import im.zonda.storage.sql.server.ServerDialect;
import im.zonda.storage.sql.server.ServerKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/// PostgreSQL through pgjdbc.
public final class Postgresql implements ServerKind {
  /// The port of PostgreSQL.
  public static final int PORT = 5_432;

  private static final Schema SCHEMA =
      new Schema(
          "schema/postgresql/",
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
              "V015__disabled.sql",
              "V016__journal.sql",
              "V017__history.sql",
              "V019__traces.sql"));

  private static final int OLDEST = 140_000;

  /// The number of the advisory lock of the database: "ZOND". Those of nodes have the number of the
  /// node plus one in the upper half.
  private static final int LOCK = 0x5A4F4E44;

  private static final String LOCK_HOLDER =
      """
      select pid from pg_locks
      where locktype = 'advisory' and granted and classid = ? and objsubid = 1 and objid = ?
        and database = (select oid from pg_database where datname = current_database())
      """;

  private static final String NODES =
      """
      select count(*) from pg_locks
      where locktype = 'advisory' and granted and classid > 0 and objsubid = 1 and objid = ?
        and database = (select oid from pg_database where datname = current_database())
      """;

  private static final List<String> NODE =
      List.of(
          "set idle_in_transaction_session_timeout = '5s'",
          "set lock_timeout = '" + (ServerDialect.CALL_MILLIS - 2_000) + "'");

  /// A commit must be on disk when it is answered. A connection to a client that is gone must end
  /// soon, because it holds the lock.
  private static final List<String> WRITER =
      List.of(
          "select set_config('synchronous_commit', 'on', false)"
              + " where current_setting('synchronous_commit') = 'off'",
          "set tcp_keepalives_idle = 30",
          "set tcp_keepalives_interval = 10",
          "set tcp_keepalives_count = 3");

  private static final String RISKS =
      """
      select string_agg(name || ' = ' || setting, ', ') from pg_settings
      where name in ('fsync', 'full_page_writes') and setting = 'off'
      """;

  private final SqlSyntax syntax = new PostgresqlSyntax();

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
    PGProperty.USER.set(properties, address.user());
    if (password != null) {
      PGProperty.PASSWORD.set(properties, password);
    }
    PGProperty.APPLICATION_NAME.set(properties, "zonda");
    PGProperty.CONNECT_TIMEOUT.set(properties, ServerDialect.CALL_MILLIS / 2_000);
    PGProperty.SOCKET_TIMEOUT.set(properties, ServerDialect.CALL_MILLIS / 1_000);
    PGProperty.TCP_KEEP_ALIVE.set(properties, true);
    PGProperty.REWRITE_BATCHED_INSERTS.set(properties, true);
    // The detail of an error may have the values of a row.
    PGProperty.LOG_SERVER_ERROR_DETAIL.set(properties, false);
    PGProperty.GSS_ENC_MODE.set(properties, "disable");
    setTls(properties, address);
    Connection connection = new Driver().connect("jdbc:" + address, properties);
    if (connection == null) {
      throw new SQLException("the driver does not accept " + address);
    }
    return connection;
  }

  private static void setTls(Properties properties, DatabaseAddress address) {
    PGProperty.SSL_MODE.set(
        properties,
        switch (address.tls()) {
          case OFF -> "disable";
          case REQUIRE -> "require";
          case VERIFY -> "verify-full";
        });
    if (address.authorities() != null) {
      PGProperty.SSL_ROOT_CERT.set(properties, address.authorities().toString());
    } else if (address.tls() == DatabaseTls.VERIFY) {
      PGProperty.SSL_FACTORY.set(properties, "org.postgresql.ssl.DefaultJavaSSLFactory");
    }
  }

  @Override
  public long session(Connection connection) throws SQLException {
    return number(connection, "select pg_backend_pid()");
  }

  @Override
  public void prepareWriter(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : WRITER) {
        statement.execute(sql);
      }
    }
  }

  @Override
  public void prepareReader(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      // The server ends a query before the driver would close the connection.
      statement.execute("set statement_timeout = " + (ServerDialect.CALL_MILLIS - 1_000));
      // A query of several statements must see one state of the database.
      statement.execute("set default_transaction_isolation = 'repeatable read'");
    }
  }

  @Override
  public void prepareNode(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : NODE) {
        statement.execute(sql);
      }
    }
  }

  private static long key(int lock) {
    return (long) (lock + 1) << 32 | LOCK;
  }

  @Override
  public boolean tryLock(Connection connection, int lock) throws SQLException {
    return call(connection, "select pg_try_advisory_lock(?)", lock);
  }

  @Override
  public void unlock(Connection connection, int lock) throws SQLException {
    boolean _ = call(connection, "select pg_advisory_unlock(?)", lock);
  }

  private static boolean call(Connection connection, String sql, int lock) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, key(lock));
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  @Override
  public long lockHolder(Connection connection, int lock) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(LOCK_HOLDER)) {
      statement.setLong(1, lock + 1);
      statement.setLong(2, LOCK);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getLong(1) : -1;
      }
    }
  }

  @Override
  public boolean hasNodes(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(NODES)) {
      statement.setLong(1, LOCK);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getLong(1) > 0;
      }
    }
  }

  @Override
  public void endSession(Connection connection, long session) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("select pg_terminate_backend(?)")) {
      statement.setInt(1, Math.toIntExact(session));
      statement.execute();
    }
  }

  @Override
  public @Nullable String unusable(Connection connection) throws SQLException {
    if (number(connection, "select current_setting('server_version_num')::int") < OLDEST) {
      return "is on a server before PostgreSQL 14";
    }
    String encoding = text(connection, "select current_setting('server_encoding')");
    return encoding.equals("UTF8") ? null : "has the encoding " + encoding + " instead of UTF8";
  }

  @Override
  public String risks(Connection connection) throws SQLException {
    return text(connection, RISKS);
  }

  @Override
  public String tables() {
    return "select tablename from pg_tables where schemaname = current_schema()";
  }

  @Override
  public String size() {
    return "select pg_database_size(current_database())";
  }

  @Override
  public void allowLongQueries(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set statement_timeout = 0");
    }
  }

  @Override
  public Failure failure(SQLException failure) {
    String state = failure.getSQLState() == null ? "" : failure.getSQLState();
    if (state.equals("53100")) {
      return Failure.FULL;
    }
    if (state.equals("42501")) {
      return Failure.PRIVILEGE;
    }
    if (state.equals("3D000")) {
      return Failure.NO_DATABASE;
    }
    return switch (state.length() < 2 ? "" : state.substring(0, 2)) {
      case "22", "23", "54" -> Failure.STATEMENT;
      case "28" -> Failure.LOGIN;
      case "08", "40", "53", "55", "57", "58" -> Failure.AWAY;
      default -> Failure.OTHER;
    };
  }

  /// A deadlock, or a lock that another session holds for long.
  @Override
  public boolean isConflict(SQLException failure) {
    return List.of("40001", "40P01", "55P03").contains(String.valueOf(failure.getSQLState()));
  }

  private static long number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getLong(1) : 0;
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
