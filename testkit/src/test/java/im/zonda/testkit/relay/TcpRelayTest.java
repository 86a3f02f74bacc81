package im.zonda.testkit.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What the relay forwards, and what it does not forward after a break.
@Timeout(20)
class TcpRelayTest {
  private ServerSocket server = listening();
  private TcpRelay relay = relay(server);
  private Socket client = new Socket();
  private Socket accepted = new Socket();
  private RelayedConnection connection =
      new RelayedConnection(client, accepted, (c, up, bytes, count) -> {});

  private static ServerSocket listening() {
    try {
      return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static TcpRelay relay(ServerSocket server) {
    try {
      return new TcpRelay(() -> (InetSocketAddress) server.getLocalSocketAddress());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void connect() throws Exception {
    client.connect(relay.address());
    accepted = server.accept();
    connection = relay.next();
    client.setSoTimeout(10_000);
    accepted.setSoTimeout(10_000);
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    accepted.close();
    relay.close();
    server.close();
  }

  @Test
  void passesBytesAndTheEndOfEachSide() throws IOException {
    assertPasses(client, accepted, 7);
    assertPasses(accepted, client, 8);

    client.shutdownOutput();
    assertThat(accepted.getInputStream().read()).isEqualTo(-1);
    assertPasses(accepted, client, 9);
    accepted.shutdownOutput();
    assertThat(client.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void aResetPasses() throws IOException {
    RelayedConnection.reset(client);
    assertThatThrownBy(() -> accepted.getInputStream().read()).isInstanceOf(IOException.class);
  }

  @Test
  void nothingPassesWhileFrozenAndNoSideNotices() throws IOException {
    connection.freeze();
    client.getOutputStream().write(1);
    accepted.getOutputStream().write(2);
    assertSilent(accepted);
    assertSilent(client);

    connection.thaw();
    assertThat(accepted.getInputStream().read()).isEqualTo(1);
    assertThat(client.getInputStream().read()).isEqualTo(2);
  }

  @Test
  void aFrozenConnectionHidesTheEndOfTheClient() throws IOException {
    connection.freeze();
    RelayedConnection.reset(client);
    assertSilent(accepted);
    accepted.getOutputStream().write(2);

    connection.thaw();
    assertThatThrownBy(() -> accepted.getInputStream().read()).isInstanceOf(IOException.class);
  }

  @Test
  void aHalfOpenConnectionSwallowsWhatTheServerSends() throws IOException {
    connection.cutClientSide();
    assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
    for (int i = 0; i < 10; i++) {
      accepted.getOutputStream().write(new byte[100_000]);
    }
    assertSilent(accepted);
  }

  @Test
  void aCutIsNoticedByBothSides() {
    connection.cut();
    assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> accepted.getInputStream().read()).isInstanceOf(IOException.class);
    assertThat(connection.ended()).isTrue();
  }

  @Test
  void withoutAServerTheClientSeesTheEnd() throws IOException {
    server.close();
    try (Socket next = new Socket()) {
      next.connect(relay.address());
      next.setSoTimeout(10_000);
      assertThatThrownBy(() -> next.getInputStream().read()).isInstanceOf(IOException.class);
    }
  }

  private static void assertPasses(Socket from, Socket to, int value) throws IOException {
    from.getOutputStream().write(value);
    assertThat(to.getInputStream().read()).isEqualTo(value);
  }

  private static void assertSilent(Socket socket) throws IOException {
    int before = socket.getSoTimeout();
    socket.setSoTimeout(150);
    assertThatThrownBy(() -> socket.getInputStream().read())
        .isInstanceOf(SocketTimeoutException.class);
    socket.setSoTimeout(before);
  }
}
