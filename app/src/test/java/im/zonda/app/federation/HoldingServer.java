package im.zonda.app.federation;

import im.zonda.app.federation.TwoServers.Mode;
import im.zonda.config.S2s.Strangers;
import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.server.FakeAddresses;
import im.zonda.testkit.server.TestServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/// The server of `b.example` in a process of its own that only a kill ends. It holds messages of
/// strangers, and finds no other servers.
final class HoldingServer implements AutoCloseable {
  static final String JULIET = "juliet@b.example";

  private final Process process;
  private final int clients;
  private final int servers;

  /// Starts it and waits until it listens.
  ///
  /// @param certificates the folder with the certificates
  HoldingServer(Path data, Path certificates, Path errors) throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                HoldingServer.class.getName(),
                data.toString(),
                certificates.toString())
            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
            .start();
    BufferedReader lines = process.inputReader();
    clients = port(lines);
    servers = port(lines);
  }

  private static int port(BufferedReader lines) throws IOException {
    String line = lines.readLine();
    if (line == null) {
      throw new IOException("the server has ended");
    }
    return Integer.parseInt(line);
  }

  /// Runs until it is killed; writes the ports for clients and for servers.
  ///
  /// @param args the folders of the data and the certificates
  public static void main(String[] args) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    TestServer server =
        TwoServers.plan(
                TwoServers.B,
                Mode.STARTTLS,
                Path.of(args[1]),
                config -> RecordCopy.with(config, "s2s.strangers", Strangers.HOLD),
                new FakeAddresses())
            .withData(Path.of(args[0]))
            .with("c2s.plaintext", ServerConfig.Plaintext.LOOPBACK)
            .startOnSockets();
    server.accounts(List.of(JULIET));
    out.println(server.address(Login.Security.STARTTLS).getPort());
    out.println(server.serverAddress(false).getPort());
  }

  /// Where it listens for servers.
  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), servers);
  }

  ScriptedClient juliet() throws IOException {
    ScriptedClient client =
        new ScriptedClient(
            SocketWire.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), clients)));
    return client.login(
        Login.of(JULIET + "/balcony", TestServer.PASSWORD)
            .withSecurity(Login.Security.NONE)
            .withMechanism("SCRAM-SHA-1"));
  }

  /// Kills it without warning (SIGKILL) and returns once it is dead.
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
