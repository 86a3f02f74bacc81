package im.zonda.app.browser;

import im.zonda.app.noloss.QuickStarts;
import im.zonda.testkit.database.FreePorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The packaged server for `localhost`, which people reach as its settings are from the start,
/// except for the ports, and for rooms that are public.
public final class ProductServer implements AutoCloseable {
  static final Path PRODUCT = Path.of("target", "zonda").toAbsolutePath();
  private static final int HTTP = 0;
  private static final int HTTPS = 1;
  private static final int CLIENTS = 2;
  private static final int CLIENTS_TLS = 3;

  private final Path folder;
  private final List<Integer> ports;
  private final List<Process> processes = new ArrayList<>();

  private ProductServer(Path folder, List<Integer> ports) {
    this.folder = folder;
    this.ports = ports;
  }

  /// Starts it.
  ///
  /// @param folder an empty folder
  /// @param accounts a line `name,password` for each; empty for none
  public static ProductServer start(Path folder, String accounts) throws Exception {
    return start(folder, accounts, "");
  }

  /// Starts it with more settings.
  ///
  /// @param settings lines of the configuration
  public static ProductServer start(Path folder, String accounts, String settings)
      throws Exception {
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i <= CLIENTS_TLS; i++) {
      ports.add(FreePorts.next());
    }
    Files.writeString(
        folder.resolve("zonda.toml"),
        """
        http.listen = ["127.0.0.1:%d"]
        http.listen-tls = ["127.0.0.1:%d"]
        c2s.listen = ["127.0.0.1:%d"]
        c2s.listen-tls = ["127.0.0.1:%d"]
        c2s.plaintext = "loopback"
        proxy.listen = []
        registration.enabled = true
        services.invitations.accounts = "everyone"
        services.guests.enabled = true
        rooms.listed = true
        """
                .formatted(ports.toArray())
            + settings);
    QuickStarts.prepare();
    ProductServer server = new ProductServer(folder, ports);
    if (!accounts.isEmpty()) {
      Path list = Files.writeString(folder.resolve("accounts"), accounts);
      server.run("user", "add", "--from=" + list);
    }
    server.restart();
    return server;
  }

  /// Whether the chat was built in, which needs npm.
  public static boolean hasChat() {
    return Files.isRegularFile(PRODUCT.resolve("web/chat/version"));
  }

  /// The address of its pages without TLS.
  public String plain() {
    return "http://127.0.0.1:" + ports.get(HTTP);
  }

  /// The port of its pages without TLS.
  public int port() {
    return ports.get(HTTP);
  }

  /// The address of its pages with a certificate that no authority has issued.
  public String encrypted() {
    return "https://localhost:" + ports.get(HTTPS);
  }

  /// The port for clients.
  public int clientPort() {
    return ports.get(CLIENTS);
  }

  /// The port for clients that begin with TLS.
  public int clientTlsPort() {
    return ports.get(CLIENTS_TLS);
  }

  /// Runs a command of the product and returns what it says.
  public String run(String... arguments) throws IOException, InterruptedException {
    Process process = launch(arguments);
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new AssertionError(List.of(arguments) + ": " + said);
    }
    return said;
  }

  /// A new link that signs in to the console once.
  public String adminLink() throws IOException, InterruptedException {
    return run("admin", "link")
        .lines()
        .filter(line -> line.startsWith("url:"))
        .map(line -> line.substring(4).strip())
        .findFirst()
        .orElseThrow();
  }

  /// Kills it (SIGKILL) and everything else that was started, and returns when they are gone.
  public void kill() {
    processes.forEach(Process::destroyForcibly);
    processes.forEach(process -> process.onExit().join());
    processes.clear();
  }

  /// Stops it (SIGTERM), and returns when it is gone.
  public void stop() {
    close();
    processes.clear();
  }

  /// Starts it again after it was killed or stopped.
  public void restart() throws IOException {
    BufferedReader lines = launch("start").inputReader(StandardCharsets.UTF_8);
    StringBuilder said = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      said.append(line).append('\n');
      if (line.startsWith("  add users")) {
        // A virtual thread would keep its carrier while it waits for a pipe.
        Thread.ofPlatform().daemon().start(() -> readRest(lines));
        return;
      }
    }
    throw new AssertionError("the server has not started: " + said);
  }

  /// So that the log does not fill the pipe. Reading it holds the carrier of a virtual thread.
  private static void readRest(BufferedReader lines) {
    try {
      while (lines.readLine() != null) {}
    } catch (IOException e) {
      // The server was stopped.
    }
  }

  private Process launch(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(PRODUCT.resolve("zonda").toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("ZONDA_JAVA", System.getProperty("java.home"));
    builder.environment().put("ZONDA_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  @Override
  public void close() {
    processes.forEach(Process::destroy);
    processes.forEach(process -> process.onExit().join());
  }
}
