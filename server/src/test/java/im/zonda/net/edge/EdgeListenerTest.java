package im.zonda.net.edge;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.edge.EdgeWire;
import im.zonda.net.Listener;
import im.zonda.net.proxy.AddressRanges;
import im.zonda.net.proxy.ProxyBytes;
import im.zonda.net.proxy.ProxyHeaders;
import im.zonda.net.tls.MutualTls;
import im.zonda.net.tls.PemFiles;
import im.zonda.net.tls.SelfSigned;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Where a core accepts edges, behind a proxy.
class EdgeListenerTest {
  private static final int TIMEOUT_MILLIS = 10_000;

  @TempDir private Path folder = Path.of("");
  private final BlockingQueue<String> accepted = new LinkedBlockingQueue<>();
  private MutualTls tls;
  private EdgeListener listener;
  private InetSocketAddress address;

  @BeforeEach
  void start() throws IOException {
    PemFiles own =
        SelfSigned.ensure(folder, List.of("edge.test"), InstantSource.system(), new SecureRandom());
    tls = MutualTls.load(own, own.certificate());
    ProxyHeaders headers =
        new ProxyHeaders(new AddressRanges(List.of("127.0.0.1")), Duration.ofMillis(500));
    listener =
        EdgeListener.start(
            new EdgeListener.Settings(
                List.of(Listener.parse(Listener.Kind.EDGE, "127.0.0.1:0").behind(headers)),
                tls,
                10_000,
                Runnable::run),
            (wire, peer) -> {
              accepted.add(peer);
              return new Ignoring();
            });
    address = listener.addresses().getFirst();
  }

  @AfterEach
  void stop() {
    listener.close();
  }

  /// A connection on which nothing is said.
  private static final class Ignoring implements EdgeWire.Handler {
    @Override
    public void received(byte[] frame) {}

    @Override
    public void tick() {}

    @Override
    public void drained() {}

    @Override
    public void ended() {}
  }

  private Socket connect(String own) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(own, 0));
    socket.connect(address, TIMEOUT_MILLIS);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    return socket;
  }

  private static boolean isClosed(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true; // by a reset
    }
  }

  @Test
  void anEdgeMayBeBehindAProxy() throws Exception {
    anEdgeConnects("198.51.100.4");
  }

  /// Sixteen connections of one address may be without a certificate at a time.
  @Test
  void strangersAreCountedByTheAddressInTheHeader() throws Exception {
    Socket[] waiting = new Socket[16];
    try {
      for (int i = 0; i < waiting.length; i++) {
        waiting[i] = connect("127.0.0.1");
        waiting[i].getOutputStream().write(ProxyBytes.binaryFor("198.51.100.4"));
      }
      try (Socket more = connect("127.0.0.1")) {
        more.getOutputStream().write(ProxyBytes.binaryFor("198.51.100.4"));
        assertThat(isClosed(more)).isTrue();
      }
      anEdgeConnects("198.51.100.5");
    } finally {
      for (Socket each : waiting) {
        if (each != null) {
          each.close();
        }
      }
    }
  }

  private void anEdgeConnects(String client) throws Exception {
    try (Socket socket = connect("127.0.0.1")) {
      socket.getOutputStream().write(ProxyBytes.lineFor(client));
      SSLSocket secure =
          (SSLSocket) tls.context().getSocketFactory().createSocket(socket, "edge.test", 0, false);
      secure.startHandshake();
      assertThat(accepted.poll(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo("CN=edge.test");
    }
  }

  @Test
  void row95_withoutAHeaderOfAProxyNoEdgeIsAccepted() throws Exception {
    try (Socket silent = connect("127.0.0.1")) {
      assertThat(isClosed(silent)).isTrue();
    }
    try (Socket direct = connect("127.0.0.1")) {
      direct.getOutputStream().write(new byte[] {0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0});
      assertThat(isClosed(direct)).isTrue();
    }
    try (Socket stranger = connect("127.0.0.2")) {
      assertThat(isClosed(stranger)).isTrue();
    }
    assertThat(accepted).isEmpty();
  }
}
