package im.zonda.cluster.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import im.zonda.cluster.Member;
import im.zonda.cluster.engine.ClusterEngine;
import im.zonda.cluster.placement.Topology;
import im.zonda.net.tls.MutualTls;
import im.zonda.net.tls.PemFiles;
import im.zonda.testkit.database.FreePorts;
import im.zonda.testkit.database.TestAuthority;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jgroups.Version;
import org.jgroups.stack.IpAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/// Nodes with TLS, and others on their port.
@Timeout(120)
class StrangerTest {
  private static final int SOCKET_MILLIS = 20_000;

  @TempDir private static Path folder = Path.of("");
  private static TestAuthority authority;

  private final List<TestEngine> engines = new ArrayList<>();
  private int port;

  @BeforeAll
  static void issueCertificate() {
    TestAuthority.create(folder);
    authority = TestAuthority.issue(folder, "node", List.of("node.example"));
  }

  @BeforeEach
  void startTwoNodes() throws Exception {
    port = FreePorts.next(3);
    for (int i = 1; i <= 2; i++) {
      start(i, context(authority, authority.authority()));
    }
    for (TestEngine engine : engines) {
      engine.awaitTopology(topology -> topology.members().size() == 2);
    }
  }

  private TestEngine start(int host, SSLContext tls) throws IOException {
    Member member = new Member("n" + host, host);
    TestEngine engine = new TestEngine(member, TestEngine.settings(host, 3, port, tls));
    engines.add(engine);
    return engine.start();
  }

  private static SSLContext context(TestAuthority node, Path trust) throws IOException {
    return MutualTls.load(new PemFiles(node.certificate(), node.key()), trust).context();
  }

  @AfterEach
  void close() {
    engines.forEach(TestEngine::close);
  }

  @Test
  void aNodeWithACertificateOfTheAuthorityJoins() throws Exception {
    start(3, context(authority, authority.authority()));
    engines.getFirst().awaitTopology(topology -> topology.members().size() == 3);
  }

  @Test
  void aNodeWithTheCertificateOfAnotherAuthorityStaysAlone() throws Exception {
    TestAuthority other = TestAuthority.create(Files.createDirectory(folder.resolve("other")));
    TestEngine stranger = start(3, context(other, authority.authority()));
    Topology alone = stranger.awaitTopology(topology -> true);
    assertThat(alone.members()).containsExactly(new Member("n3", 3));
    stranger.engine.send(
        new Member("n1", 1), List.of(new byte[] {1}), ClusterEngine.Departure.AT_ONCE);
    assertStillTwo();
  }

  @Test
  void aStrangerWithoutTlsReadsNothing() throws Exception {
    try (Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port)) {
      socket.setSoTimeout(SOCKET_MILLIS);
      socket.getOutputStream().write("bela: let me in\n".getBytes(StandardCharsets.US_ASCII));
      // At most the alert that this was no TLS.
      byte[] answer = socket.getInputStream().readAllBytes();
      assertThat(answer.length).isLessThanOrEqualTo(7);
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("reset");
    }
    assertStillTwo();
  }

  @Test
  void aStrangerWithoutCertificateReadsNothing() throws Exception {
    SSLContext anonymous = SSLContext.getInstance("TLS");
    anonymous.init(null, new TrustManager[] {new TrustAll()}, null);
    try (SSLSocket socket =
        (SSLSocket)
            anonymous.getSocketFactory().createSocket(InetAddress.ofLiteral("127.0.0.1"), port)) {
      socket.setSoTimeout(SOCKET_MILLIS);
      // With TLS 1.3 the client learns of the refusal when it reads.
      assertThatThrownBy(
              () -> {
                socket.startHandshake();
                socket.getInputStream().read();
              })
          .isInstanceOf(SSLException.class);
    }
    assertStillTwo();
  }

  /// Those who begin a handshake and send one byte now and then, or nothing, do not keep nodes out.
  @Test
  void strangersWhoSendSlowlyDoNotKeepANodeOut() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    List<Socket> strangers = new ArrayList<>();
    Thread dripping = Thread.ofVirtual().unstarted(() -> drip(strangers, over));
    try {
      for (int i = 0; i < 60; i++) {
        Socket socket = new Socket(InetAddress.ofLiteral("127.0.0." + (1 + i % 2)), port);
        strangers.add(socket);
        if (i % 3 == 0) {
          socket.getOutputStream().write(new byte[] {22, 3, 1, 63, 0}); // a long record follows
        }
      }
      dripping.start();
      start(3, context(authority, authority.authority()));
      engines.getFirst().awaitTopology(topology -> topology.members().size() == 3);
      engines.getLast().awaitTopology(topology -> topology.members().size() == 3);
    } finally {
      over.countDown();
      for (Socket each : strangers) {
        each.close();
      }
    }
  }

  private static void drip(List<Socket> strangers, CountDownLatch over) {
    try {
      while (!over.await(200, TimeUnit.MILLISECONDS)) {
        for (int i = 0; i < strangers.size(); i += 3) {
          write(strangers.get(i));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void write(Socket stranger) {
    try {
      stranger.getOutputStream().write(1);
    } catch (IOException e) {
      // It has been closed, as it should.
    }
  }

  /// The length of a packet reserves no memory, also if a node sends it.
  @Test
  void aPacketOverTheLimitClosesItsConnection() throws Exception {
    SSLContext node = context(authority, authority.authority());
    try (LoggedLines lines = new LoggedLines(TcpTransport.class);
        Socket socket =
            node.getSocketFactory().createSocket(InetAddress.ofLiteral("127.0.0.1"), port)) {
      socket.setSoTimeout(SOCKET_MILLIS);
      IpAddress from = new IpAddress("127.0.0.9", port);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.write("bela".getBytes(StandardCharsets.US_ASCII));
      out.writeShort(Version.version);
      out.writeShort(from.serializedSize());
      from.writeTo(out);
      out.writeInt(Integer.MAX_VALUE);
      socket.getOutputStream().write(bytes.toByteArray());
      try {
        byte[] goodbye = socket.getInputStream().readAllBytes();
        assertThat(goodbye.length).isLessThanOrEqualTo(Integer.BYTES);
      } catch (SocketException e) {
        assertThat(e).hasMessageContaining("reset");
      }
      while (!lines.next().contains("bigger than the max accepted length")) {
        // another line
      }
    }
    assertStillTwo();
  }

  /// Bytes without end that are no handshake: the connection is closed, with one line in the log.
  @Test
  void endlessBytesAreNotRead() throws Exception {
    try (LoggedLines lines = new LoggedLines(HandshakeServerSocket.class);
        Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port)) {
      byte[] bytes = new byte[1 << 16];
      Arrays.fill(bytes, (byte) 'x');
      assertThatThrownBy(
              () -> {
                while (true) {
                  socket.getOutputStream().write(bytes);
                }
              })
          .isInstanceOf(IOException.class);
      assertStillTwo();
      assertThat(lines.next()).isEqualTo("cluster_connection_refused");
    }
  }

  /// What a class logs, which may be later than what it does.
  private static final class LoggedLines extends AppenderBase<ILoggingEvent>
      implements AutoCloseable {
    private final Logger logger;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    LoggedLines(Class<?> source) {
      logger = (Logger) LoggerFactory.getLogger(source);
      start();
      logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
      lines.add(event.getFormattedMessage());
    }

    String next() throws InterruptedException {
      String line = lines.poll(SOCKET_MILLIS, TimeUnit.MILLISECONDS);
      assertThat(line).as("a line in the log").isNotNull();
      return line;
    }

    @Override
    public void close() {
      logger.detachAppender(this);
    }
  }

  /// A frame still arrives, and the table has not changed.
  private void assertStillTwo() throws InterruptedException {
    TestEngine first = engines.getFirst();
    TestEngine second = engines.get(1);
    first.engine.send(
        second.engine.self(), List.of(new byte[] {42}), ClusterEngine.Departure.AT_ONCE);
    assertThat(second.awaitFrames(1)).containsExactly(new byte[] {42});
    assertThat(first.topologies().getLast().members()).hasSize(2);
  }

  /// Trusts everyone, as a scanner does.
  private static final class TrustAll extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}
  }
}
