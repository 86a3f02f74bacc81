package im.zonda.app.abuse;

import im.zonda.app.Main;
import im.zonda.auth.Passwords;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.Account;
import im.zonda.store.ScramKeys;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The product with its default limits in a process of its own with a heap of 128 MiB.
final class SmallServer implements AutoCloseable {
  static final String DOMAIN = "example.org";
  static final String PASSWORD = "secret";

  /// Megabytes of heap.
  private static final int HEAP = 128;

  private static final Pattern ADDRESS = Pattern.compile("127\\.0\\.0\\.1:(\\d+)");
  private static final int BATCH = 1_000;

  private final Path log;
  private final Process process;
  private final InetSocketAddress address;
  private final InetSocketAddress tlsAddress;

  /// Starts a server.
  ///
  /// @param folder an empty folder
  /// @param accounts how many accounts `a0`, `a1`… there are for abuse, besides the ordinary users
  SmallServer(Path folder, int accounts) throws IOException {
    this.log = folder.resolve("server.log");
    Path data = folder.resolve("data");
    createAccounts(data, accounts);
    Path config =
        Files.writeString(
            folder.resolve("zonda.toml"),
            """
            hosts = ["%s"]
            data = "data"
            [http]
            listen = []
            listen-tls = []
            [c2s]
            listen = ["127.0.0.1:0"]
            listen-tls = ["127.0.0.1:0"]
            plaintext = "loopback"
            """
                .formatted(DOMAIN));
    process = start(folder, config);
    BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
    address = nextAddress(reader);
    tlsAddress = nextAddress(reader);
    Thread.ofVirtual().start(() -> drain(reader));
  }

  private Process start(Path folder, Path config) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("@" + Path.of("src", "main", "dist", "jvm.options").toAbsolutePath());
    command.add("-Xmx" + HEAP + "m");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(Main.class.getName(), "start", "--config", config.toString()));
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  private static void createAccounts(Path data, int count) throws IOException {
    Files.createDirectories(data);
    byte[] salt = "salt-of-the-test".getBytes(StandardCharsets.US_ASCII);
    // Few iterations: the test's passwords need not be hard to guess.
    List<ScramKeys> keys =
        Passwords.HASHES.stream()
            .map(hash -> Passwords.derive(PASSWORD, hash, salt, 4_096))
            .toList();
    InstantSource clock = InstantSource.system();
    Instant now = clock.instant();
    List<Account> accounts =
        Stream.concat(
                IntStream.range(0, count).mapToObj(SmallServer::abuser),
                OrdinaryUsers.addresses().stream())
            .map(jid -> new Account(Jid.of(jid), keys, now))
            .toList();
    ServerConfig config = ServerConfig.defaults(List.of(DOMAIN), data);
    try (SqlStores stores = SqlStores.open(data, config.storage(), config.limits(), clock)) {
      for (int i = 0; i < accounts.size(); i += BATCH) {
        stores.accounts().create(accounts.subList(i, Math.min(accounts.size(), i + BATCH)));
      }
    }
  }

  private InetSocketAddress nextAddress(BufferedReader reader) throws IOException {
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      Matcher matcher = ADDRESS.matcher(line);
      if (matcher.find()) {
        return new InetSocketAddress(
            InetAddress.getLoopbackAddress(), Integer.parseInt(matcher.group(1)));
      }
    }
    throw new IOException("the server does not start: " + Files.readString(log));
  }

  private static void drain(BufferedReader reader) {
    try (reader) {
      reader.lines().forEach(line -> {});
    } catch (IOException | UncheckedIOException e) {
      // The server has ended.
    }
  }

  /// The bare address of an account that is there for abuse.
  static String abuser(int number) {
    return "a" + number + "@" + DOMAIN;
  }

  /// Where connections begin in the clear.
  InetSocketAddress address() {
    return address;
  }

  /// Where connections begin with TLS.
  InetSocketAddress tlsAddress() {
    return tlsAddress;
  }

  /// Whether the process has not ended.
  boolean isAlive() {
    return process.isAlive();
  }

  /// Resident memory in MiB; 0 on systems that do not say.
  long residentMib() throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (!Files.exists(status)) {
      return 0;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1_024;
      }
    }
    return 0;
  }

  /// The lines of the log that report a failure of the server itself.
  List<String> failures() throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      return lines
          .filter(line -> line.contains("ERROR") || line.contains("OutOf"))
          .limit(20)
          .toList();
    }
  }

  /// Kills it.
  @Override
  public void close() {
    try {
      process.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
