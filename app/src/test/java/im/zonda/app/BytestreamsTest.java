package im.zonda.app;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.clients.SmackConnections;
import im.zonda.app.control.ApiClient;
import im.zonda.app.hosts.ConfigSource;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.operation.run.RunningServerRunner;
import im.zonda.module.admin.operation.AccountOperations;
import im.zonda.net.Listener;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jivesoftware.smack.tcp.XMPPTCPConnection;
import org.jivesoftware.smackx.bytestreams.socks5.Socks5BytestreamListener;
import org.jivesoftware.smackx.bytestreams.socks5.Socks5BytestreamManager;
import org.jivesoftware.smackx.bytestreams.socks5.Socks5BytestreamRequest;
import org.jivesoftware.smackx.bytestreams.socks5.Socks5Proxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two clients of the Smack library find the proxy of the whole server and send a file through it
/// (XEP-0065), because neither can be connected to.
@Timeout(120)
class BytestreamsTest {
  private static final String PASSWORD = "secret";

  @TempDir private Path folder;

  private static void account(OperationRunner operations, String jid) throws Exception {
    operations.ask(AccountOperations.CREATE, Map.of("account", jid, "password", PASSWORD));
  }

  private static XMPPTCPConnection login(RunningServer server, String user) throws Exception {
    InetSocketAddress address =
        server.listeners().stream()
            .filter(each -> each.kind() == Listener.Kind.STARTTLS)
            .findFirst()
            .orElseThrow()
            .address();
    XMPPTCPConnection connection = SmackConnections.of(address, user, PASSWORD, "x");
    connection.connect().login();
    return connection;
  }

  @Test
  void aFileIsSentThroughTheProxy() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("zonda.toml"),
            """
            hosts = ["example.org"]
            data = "%s"
            [http]
            listen = []
            listen-tls = []
            [c2s]
            listen = ["127.0.0.1:0"]
            listen-tls = []
            [proxy]
            listen = ["127.0.0.1:0"]
            address = "127.0.0.1"
            """
                .formatted(folder.resolve("data")));
    ConfigSource source = new ConfigFile(file);
    RunningServer server = new ServerProcess(source, code -> {}).start(source.read().config());
    try (OperationRunner operations =
        new RunningServerRunner(new ApiClient(folder.resolve("data")))) {
      account(operations, "romeo@example.org");
      account(operations, "juliet@example.org");
      Socks5Proxy.setLocalSocks5ProxyEnabled(false);
      XMPPTCPConnection romeo = login(server, "romeo");
      XMPPTCPConnection juliet = login(server, "juliet");
      byte[] sent = new byte[1_000_000];
      new Random(65).nextBytes(sent);
      CompletableFuture<byte[]> received = received(juliet);
      try (OutputStream out =
          Socks5BytestreamManager.getBytestreamManager(romeo)
              .establishSession(juliet.getUser())
              .getOutputStream()) {
        out.write(sent);
      }
      assertThat(received.get(30, TimeUnit.SECONDS)).isEqualTo(sent);
      romeo.disconnect();
      juliet.disconnect();
    } finally {
      server.close();
    }
  }

  private static CompletableFuture<byte[]> received(XMPPTCPConnection connection) {
    CompletableFuture<byte[]> received = new CompletableFuture<>();
    Socks5BytestreamManager.getBytestreamManager(connection)
        .addIncomingBytestreamListener(
            new Socks5BytestreamListener() {
              @Override
              public void incomingBytestreamRequest(Socks5BytestreamRequest request) {
                try (InputStream in = request.accept().getInputStream()) {
                  received.complete(in.readAllBytes());
                } catch (Exception e) {
                  received.completeExceptionally(e);
                }
              }
            });
    return received;
  }
}
