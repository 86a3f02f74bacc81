package im.zonda.testkit.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.mariadb.jdbc.Driver;

/// A MariaDB server. It ends with the JVM at the latest. Its programs are in a jar on the class
/// path ([MariadbPrograms]).
public final class MariadbServer implements DatabaseServer {

  private static final class Shared {
    private static final MariadbServer SERVER = new MariadbServer();
  }

  private final Path base;
  private final List<String> command;
  private final int port;
  private final TestAuthority authority;
  private volatile Process process;

  private MariadbServer() {
    try {
      Path programs = MariadbPrograms.prepare();
      base = Files.createTempDirectory("zonda-mariadb");
      Path data = base.resolve("data");
      MariadbPrograms.copy(programs.resolve("data"), data);
      port = FreePorts.next();
      authority = TestAuthority.create(base);
      command =
          List.of(
              programs.resolve("bin/mariadbd").toString(),
              "--no-defaults",
              "--basedir=" + programs,
              "--datadir=" + data,
              "--bind-address=127.0.0.1",
              "--port=" + port,
              "--socket=" + base.resolve("socket"),
              "--skip-name-resolve",
              "--innodb-flush-log-at-trx-commit=1",
              "--innodb-flush-method=nosync", // the operating system does not fail
              "--innodb-buffer-pool-size=64M",
              "--max-connections=200",
              "--ssl-cert=" + authority.certificate(),
              "--ssl-key=" + authority.key(),
              MariadbPrograms.USER_OPTION);
      process = launch();
      Runtime.getRuntime().addShutdownHook(new Thread(this::close));
      Attempts.untilConnected(() -> connect("mysql"), process, base.resolve("log"));
      execute(
          "create user zonda identified by '"
              + PASSWORD.replace("\\", "\\\\").replace("'", "''")
              + "'");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private Process launch() throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(base.resolve("log").toFile()))
        .start();
  }

  /// Starts another server.
  public static MariadbServer create() {
    return new MariadbServer();
  }

  /// The server that all tests of a JVM use, started at the first call.
  public static MariadbServer shared() {
    return Shared.SERVER;
  }

  @Override
  public void close() {
    if (!Files.exists(base)) {
      return;
    }
    process.destroyForcibly();
    try {
      process.waitFor();
      List<Path> files = new ArrayList<>();
      try (var all = Files.walk(base)) {
        all.forEach(files::add);
      }
      for (Path file : files.reversed()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      System.err.println(base + " is left behind: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public String url(String database) {
    return "mariadb://127.0.0.1:" + port + "/" + database;
  }

  @Override
  public void createDatabase(String name) {
    try {
      execute("create database " + name + " character set utf8mb4");
      execute("grant all on " + name + ".* to zonda");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void createDatabase(String name, Path folder) {
    try {
      Files.createDirectory(folder.resolve(name));
      Files.createSymbolicLink(base.resolve("data").resolve(name), folder.resolve(name));
      execute("alter database " + name + " character set utf8mb4");
      execute("grant all on " + name + ".* to zonda");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = connect("mysql");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public Connection connect(String database) throws SQLException {
    return new Driver()
        .connect(
            "jdbc:mariadb://127.0.0.1:" + port + "/" + database + "?user=root&sslMode=disable",
            new Properties());
  }

  @Override
  public long lockHolder(String database) throws SQLException {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select is_used_lock(concat('zonda.', left(sha2(database(), 256), 32)))")) {
      return row.next() ? row.getLong(1) : -1;
    }
  }

  @Override
  public void endSession(long session) throws SQLException {
    String query = "select 1 from information_schema.processlist where id = " + session;
    try (Connection connection = connect("mysql");
        Statement statement = connection.createStatement()) {
      statement.execute("kill connection " + session);
      Eventually.await(
          "session " + session + " has ended",
          () -> {
            try (ResultSet there = statement.executeQuery(query)) {
              return !there.next();
            }
          });
    }
  }

  @Override
  public Path enableTls() {
    require("ssl");
    return authority.authority();
  }

  @Override
  public void disableTls() {
    require("none");
  }

  private void require(String what) {
    try {
      execute("alter user zonda require " + what);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void suspend() {
    Signals.send(process.pid(), "STOP");
  }

  @Override
  public void resume() {
    Signals.send(process.pid(), "CONT");
  }

  @Override
  public void stop() {
    process.destroy();
    process.onExit().join();
  }

  @Override
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void startAgain() {
    try {
      process = launch();
      Attempts.untilConnected(() -> connect("mysql"), process, base.resolve("log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
