package im.zonda.bench.target;

import im.zonda.bench.process.Addresses;
import im.zonda.bench.process.ChildProcess;
import im.zonda.bench.process.Programs;
import im.zonda.bench.process.TemporaryFolder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The database of a Zonda.
///
/// @param settings the keys of the section `[storage]`
/// @param process the process of the database; null if it is in the server's, or not ours
record Database(String settings, @Nullable ChildProcess process) implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String NAME = "bench";

  /// Starts a database if one has to be.
  ///
  /// @param storage the value of `--storage`
  /// @throws IllegalArgumentException if that is no database
  /// @throws IOException if it is not installed or does not start
  static Database start(String storage, TemporaryFolder folder, InetSocketAddress address)
      throws IOException {
    return switch (storage) {
      case "", "sqlite" -> new Database("", null);
      case "postgresql" -> postgresql(folder, address);
      case "mariadb" -> mariadb(folder, address);
      default -> at(storage);
    };
  }

  private static Database at(String url) {
    if (!url.matches("(postgresql|mariadb)://.+")) {
      throw new IllegalArgumentException(
          "--storage " + url + " is none of sqlite, postgresql, mariadb, or an address of one");
    }
    URI uri = URI.create(url);
    String user = uri.getUserInfo();
    if (user == null) {
      return new Database("url = \"" + url + "\"\n", null);
    }
    String[] parts = user.split(":", 2);
    return new Database(
        "url = \""
            + url.replace(user + "@", "")
            + "\"\nuser = \""
            + parts[0]
            + "\"\n"
            + (parts.length == 1 ? "" : "password = \"" + parts[1] + "\"\n"),
        null);
  }

  /// As it is installed, but for its address: each commit is flushed to the disk.
  private static Database postgresql(TemporaryFolder folder, InetSocketAddress address)
      throws IOException {
    Path initdb = Programs.postgresql("initdb");
    Path data = owned(folder, "postgresql", "postgres");
    run(
        folder,
        "initdb",
        Programs.as(
            "postgres",
            List.of(
                initdb.toString(),
                "-D",
                data.toString(),
                "-U",
                "zonda",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale=C")));
    List<String> command =
        Programs.as(
            "postgres",
            List.of(
                Programs.postgresql("postgres").toString(),
                "-D",
                data.toString(),
                "-p",
                Integer.toString(address.getPort()),
                "-c",
                "listen_addresses=" + address.getAddress().getHostAddress(),
                "-c",
                "unix_socket_directories="));
    ChildProcess process =
        start("database", command, folder, output -> output.contains("ready to accept"));
    return new Database(
        "url = \"postgresql://" + Addresses.text(address) + "/postgres\"\nuser = \"zonda\"\n",
        process);
  }

  private static Database mariadb(TemporaryFolder folder, InetSocketAddress address)
      throws IOException {
    Path install = Programs.need("mariadb-install-db", "mariadb-server");
    Path program = Programs.need("mariadbd", "mariadb-server");
    Path data = owned(folder, "mariadb", "mysql");
    String user = Programs.isRoot() ? "mysql" : System.getProperty("user.name");
    run(
        folder,
        "mariadb-install-db",
        List.of(
            install.toString(),
            "--no-defaults",
            "--datadir=" + data,
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
            "--user=" + user));
    Path init =
        folder.write(
            "mariadb.sql",
            "create database "
                + NAME
                + " character set utf8mb4 collate utf8mb4_bin;\n"
                + "create user zonda@'127.0.0.1' identified by 'secret';\n"
                + "grant all on "
                + NAME
                + ".* to zonda@'127.0.0.1';\n");
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.addAll(
        List.of(
            "--no-defaults",
            "--datadir=" + data,
            "--bind-address=" + address.getAddress().getHostAddress(),
            "--port=" + address.getPort(),
            "--socket=" + data.resolve("socket"),
            "--skip-name-resolve",
            "--max-connections=200",
            "--init-file=" + init,
            "--user=" + user));
    return new Database(
        "url = \"mariadb://"
            + Addresses.text(address)
            + "/"
            + NAME
            + "\"\nuser = \"zonda\"\npassword = \"secret\"\n",
        start("database", command, folder, _ -> Addresses.accepts(address)));
  }

  private static Path owned(TemporaryFolder folder, String name, String user) throws IOException {
    Path data = Files.createDirectory(folder.path().resolve(name));
    if (Programs.isRoot()) {
      try {
        Files.setOwner(
            data, data.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user));
      } catch (UserPrincipalNotFoundException e) {
        throw new IOException("the database runs as the user " + user + ", who is not there", e);
      }
    }
    return data;
  }

  private static void run(TemporaryFolder folder, String name, List<String> command)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.path().toFile());
    String _ = ChildProcess.run(name, builder, folder.path().resolve(name + ".out"), LIMIT);
  }

  private static ChildProcess start(
      String name, List<String> command, TemporaryFolder folder, Predicate<String> isReady)
      throws IOException {
    ChildProcess process =
        ChildProcess.start(
            name,
            new ProcessBuilder(command).directory(folder.path().toFile()),
            folder.path().resolve(name + ".out"));
    try {
      process.awaitReady(() -> isReady.test(process.text()), LIMIT);
    } catch (IOException e) {
      process.close();
      throw e;
    }
    return process;
  }

  @Override
  public void close() {
    if (process != null) {
      process.close();
    }
  }
}
