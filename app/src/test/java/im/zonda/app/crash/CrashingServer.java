package im.zonda.app.crash;

import im.zonda.app.StandardModules;
import im.zonda.config.ServerConfig;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/// A server in a process of its own that only a kill ends. It writes the port, and then the id of
/// every message that the log has reported durable, a line each.
final class CrashingServer {
  static final String PORT = "port ";
  static final String COMMITTED = "committed ";

  private CrashingServer() {}

  /// Runs until it is killed.
  ///
  /// @param args the data folder, and how many accounts `u0`, `u1`… there are
  public static void main(String[] args) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    TestServer server =
        ServerPlan.of(StandardModules::create)
            .withData(Path.of(args[0]))
            .with("c2s.plaintext", ServerConfig.Plaintext.LOOPBACK)
            .with("limits.offlineMessages", 1_000_000)
            .withStores(stores ->
                new ReportingStores(stores, entry -> out.println(COMMITTED + entry.message().id())))
            .startOnSockets();
    List<String> accounts =
        IntStream.range(0, Integer.parseInt(args[1]))
            .mapToObj(i -> "u" + i + "@example.org")
            .toList();
    server.accounts(accounts);
    out.println(PORT + server.address(Login.Security.STARTTLS).getPort());
  }
}
