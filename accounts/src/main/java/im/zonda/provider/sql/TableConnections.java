package im.zonda.provider.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import im.zonda.config.accounts.SqlAccounts;
import im.zonda.config.accounts.SqlAccounts.Tls;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/// Connections to the operator's database that can only read. They are made when they are needed,
/// and again when the database was away. Any thread may call.
final class TableConnections implements AutoCloseable {
  private static final int LEAST_WAIT_MILLIS = 250;
  private static final long LIFETIME_MILLIS = 1_800_000;
  private static final long IDLE_MILLIS = 300_000;
  private static final long KEEPALIVE_MILLIS = 60_000;

  /// The most bytes that the driver takes as one answer: no row keeps more than that.
  private static final int ANSWER_BYTES = 8_388_608;

  /// The most bytes of a value of SQLite.
  private static final int VALUE_BYTES = 1_048_576;

  private final HikariDataSource pool;
  private final int querySeconds;
  private final boolean streams;

  /// @param timeLimit the most time for a question; the database gets a little more before its
  ///   connection is closed
  TableConnections(SqlAccounts settings, Duration timeLimit) {
    long millis = timeLimit.toMillis();
    this.querySeconds = (int) (millis / 1_000 + 1);
    HikariConfig config = new HikariConfig();
    config.setPoolName("zonda-accounts-sql");
    config.setReadOnly(true);
    config.setMaximumPoolSize(settings.connections());
    config.setMinimumIdle(0);
    config.setInitializationFailTimeout(-1); // the database may come later
    config.setConnectionTimeout(Math.max(LEAST_WAIT_MILLIS, millis));
    config.setValidationTimeout(Math.max(LEAST_WAIT_MILLIS, millis / 2));
    config.setMaxLifetime(LIFETIME_MILLIS);
    config.setIdleTimeout(IDLE_MILLIS);
    config.setKeepaliveTime(KEEPALIVE_MILLIS);
    String url = settings.database();
    String kind = url.substring(0, Math.max(0, url.indexOf(':')));
    switch (kind) {
      case "postgresql" -> postgresql(config, settings, millis);
      case "mariadb" -> mariadb(config, settings, millis);
      case "sqlite" -> sqlite(config, url.substring("sqlite:".length()), millis);
      default -> throw new IllegalArgumentException("no database: " + url);
    }
    this.streams = kind.equals("postgresql");
    this.pool = new HikariDataSource(config);
  }

  private void postgresql(HikariConfig config, SqlAccounts settings, long millis) {
    server(config, settings);
    config.setConnectionInitSql(
        "set statement_timeout = "
            + millis
            + "; set session characteristics as transaction read only");
    config.addDataSourceProperty("ApplicationName", "zonda");
    config.addDataSourceProperty("connectTimeout", Integer.toString(querySeconds));
    config.addDataSourceProperty("socketTimeout", Integer.toString(querySeconds));
    config.addDataSourceProperty("tcpKeepAlive", "true");
    config.addDataSourceProperty("gssEncMode", "disable");
    config.addDataSourceProperty("readOnlyMode", "always");
    config.addDataSourceProperty("maxResultBuffer", Integer.toString(ANSWER_BYTES));
    // The detail of an error may have the values of a row.
    config.addDataSourceProperty("logServerErrorDetail", "false");
    Tls tls = tls(settings);
    config.addDataSourceProperty(
        "sslmode",
        switch (tls) {
          case OFF -> "disable";
          case REQUIRE -> "require";
          case VERIFY -> "verify-full";
        });
    Path authorities = settings.authorities();
    if (authorities != null) {
      config.addDataSourceProperty("sslrootcert", authorities.toString());
    } else if (tls == Tls.VERIFY) {
      config.addDataSourceProperty("sslfactory", "org.postgresql.ssl.DefaultJavaSSLFactory");
    }
  }

  private void mariadb(HikariConfig config, SqlAccounts settings, long millis) {
    server(config, settings);
    config.setConnectionInitSql("set session transaction read only");
    config.addDataSourceProperty("connectTimeout", Long.toString(millis));
    config.addDataSourceProperty("socketTimeout", Integer.toString(querySeconds * 1_000));
    config.addDataSourceProperty("connectionAttributes", "program_name:zonda");
    config.addDataSourceProperty("allowLocalInfile", "false");
    Tls tls = tls(settings);
    config.addDataSourceProperty(
        "sslMode",
        switch (tls) {
          case OFF -> "disable";
          case REQUIRE -> "trust";
          case VERIFY -> "verify-full";
        });
    Path authorities = settings.authorities();
    if (authorities != null) {
      config.addDataSourceProperty("serverSslCert", authorities.toString());
    } else if (tls == Tls.VERIFY) {
      // Without a list the driver also accepts a server that knows the hash of the password.
      String configured = System.getProperty("javax.net.ssl.trustStore");
      Path runtime = Path.of(System.getProperty("java.home"), "lib", "security", "cacerts");
      config.addDataSourceProperty(
          "trustStore", configured == null ? runtime.toString() : configured);
    }
  }

  private static void server(HikariConfig config, SqlAccounts settings) {
    config.setJdbcUrl("jdbc:" + settings.database());
    config.setUsername(settings.user() == null ? "" : settings.user());
    config.setPassword(settings.password() == null ? "" : settings.password());
    // Otherwise the pool asks its first connection, once: if that one breaks meanwhile, the pool
    // sets an isolation of -1 ever after, and no connection can be used.
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
  }

  private static void sqlite(HikariConfig config, String file, long millis) {
    config.setJdbcUrl("jdbc:sqlite:" + file);
    config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
    config.addDataSourceProperty("open_mode", "1"); // SQLITE_OPEN_READONLY
    config.addDataSourceProperty("busy_timeout", Long.toString(millis));
    config.addDataSourceProperty("limit_length", Integer.toString(VALUE_BYTES));
  }

  private static Tls tls(SqlAccounts settings) {
    Tls set = settings.tls();
    if (set != null) {
      return set;
    }
    String host = String.valueOf(URI.create(settings.database()).getHost());
    boolean loopback = host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
    return loopback ? Tls.OFF : Tls.VERIFY;
  }

  /// The most seconds that a query may take.
  int querySeconds() {
    return querySeconds;
  }

  /// Whether a long result comes in parts, within a transaction only.
  boolean streams() {
    return streams;
  }

  /// A connection that is free, to be closed soon. Blocks.
  Connection connect() throws SQLException {
    return pool.getConnection();
  }

  @Override
  public void close() {
    pool.close();
  }
}
