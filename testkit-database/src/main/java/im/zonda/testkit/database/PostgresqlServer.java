package im.zonda.testkit.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A PostgreSQL server. It ends with the JVM at the latest.
public final class PostgresqlServer implements DatabaseServer {
  /// How long the server may take to end a session.
  private static final int END_MILLIS = 60_000;

  private static final class Shared {
    private static final PostgresqlServer SERVER = new PostgresqlServer();
  }

  private final EmbeddedPostgres server;
  private final Path data;
  private final Path rules;
  private final List<String> command;
  private @Nullable TestAuthority authority;

  private PostgresqlServer() {
    try {
      data = Files.createTempDirectory("zonda-postgresql");
      rules = Files.createTempFile("zonda-postgresql", ".hba");
      rules.toFile().deleteOnExit();
      writeRules("host");
      server =
          EmbeddedPostgres.builder()
              .setDataDirectory(data)
              .setPort(FreePorts.next())
              .setServerConfig("hba_file", rules.toString())
              .setServerConfig("fsync", "off") // the operating system does not fail
              .setServerConfig("full_page_writes", "off")
              .setServerConfig("wal_level", "minimal")
              .setServerConfig("max_wal_senders", "0")
              .setServerConfig("max_connections", "200")
              .start();
      execute("postgres", "create role zonda login password '" + PASSWORD.replace("'", "''") + "'");
      command = command(postmaster());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The administrator needs no password, everyone else does.
  ///
  /// @param type `hostssl` if everyone else needs TLS, too; otherwise `host`
  private void writeRules(String type) throws IOException {
    Files.writeString(
        rules,
        """
        local all all trust
        host all postgres 127.0.0.1/32 trust
        host all postgres ::1/128 trust
        """
            + type
            + " all all all scram-sha-256\n");
  }

  /// The server that all tests of a JVM use, started at the first call.
  public static PostgresqlServer shared() {
    return Shared.SERVER;
  }

  /// Starts another server.
  public static PostgresqlServer create() {
    return new PostgresqlServer();
  }

  /// The command line of a process. PostgreSQL does not run as root, unless it does not know.
  private static List<String> command(ProcessHandle process) {
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("unshare", "-U"));
    }
    command.add(process.info().command().orElseThrow());
    command.addAll(List.of(process.info().arguments().orElseThrow()));
    return command;
  }

  @Override
  public int port() {
    return server.getPort();
  }

  @Override
  public String url(String database) {
    return "postgresql://localhost:" + server.getPort() + "/" + database;
  }

  @Override
  public void createDatabase(String name) {
    execute("postgres", "create database " + name + " owner zonda");
  }

  @Override
  public void createDatabase(String name, Path folder) {
    execute("postgres", "create tablespace " + name + " location '" + folder + "'");
    execute("postgres", "create database " + name + " owner zonda tablespace " + name);
  }

  private void execute(String database, String sql) {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(server.getJdbcUrl("postgres", database));
  }

  @Override
  public long lockHolder(String database) throws SQLException {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select pid from pg_locks where locktype = 'advisory' and granted and database ="
                    + " (select oid from pg_database where datname = current_database())")) {
      return row.next() ? row.getLong(1) : -1;
    }
  }

  @Override
  public void endSession(long session) {
    execute("postgres", "select pg_terminate_backend(" + session + ", " + END_MILLIS + ")");
  }

  @Override
  public Path enableTls() {
    TestAuthority made = authority;
    if (made == null) {
      made = TestAuthority.create(data);
      authority = made;
    }
    execute("postgres", "alter system set ssl_cert_file = '" + made.certificate() + "'");
    execute("postgres", "alter system set ssl_key_file = '" + made.key() + "'");
    setTls("on", "hostssl");
    return made.authority();
  }

  @Override
  public void disableTls() {
    setTls("off", "host");
  }

  private void setTls(String state, String type) {
    try {
      writeRules(type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    execute("postgres", "alter system set ssl = " + state);
    execute("postgres", "select pg_reload_conf()");
    try {
      while (!state.equals(text("show ssl"))) {
        LockSupport.parkNanos(1_000_000); // a new session reads the settings that the server has
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private String text(String query) throws SQLException {
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getString(1) : "";
    }
  }

  @Override
  public void suspend() {
    signal("STOP");
  }

  @Override
  public void resume() {
    signal("CONT");
  }

  private void signal(String name) {
    ProcessHandle postmaster = postmaster();
    Stream.concat(Stream.of(postmaster), postmaster.descendants())
        .forEach(process -> Signals.send(process.pid(), name));
  }

  private ProcessHandle postmaster() {
    try {
      List<String> lines = Files.readAllLines(data.resolve("postmaster.pid"));
      return ProcessHandle.of(Long.parseLong(lines.getFirst())).orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A fast shutdown: sessions are ended.
  @Override
  public void stop() {
    ProcessHandle postmaster = postmaster();
    Signals.send(postmaster.pid(), "INT");
    postmaster.onExit().join();
  }

  @Override
  public void kill() {
    ProcessHandle postmaster = postmaster();
    List<ProcessHandle> all =
        Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
    all.forEach(process -> Signals.send(process.pid(), "KILL"));
    all.forEach(process -> process.onExit().join());
  }

  @Override
  public void startAgain() {
    Path log = rules.resolveSibling(rules.getFileName() + ".log");
    log.toFile().deleteOnExit();
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      Attempts.untilConnected(() -> connect("postgres"), process, log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
