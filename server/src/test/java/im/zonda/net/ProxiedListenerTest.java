package im.zonda.net;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.ConnectionLimits;
import im.zonda.config.limits.Limits;
import im.zonda.module.IqReply;
import im.zonda.net.proxy.AddressRanges;
import im.zonda.net.proxy.ProxyBytes;
import im.zonda.net.proxy.ProxyHeaders;
import im.zonda.net.tls.CertificateFiles;
import im.zonda.net.tls.Certificates;
import im.zonda.net.tls.SelfSigned;
import im.zonda.stream.StreamProfile;
import im.zonda.stream.client.StreamContext;
import im.zonda.stream.client.StreamFixture;
import im.zonda.throttle.BannedNetworks;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Listeners that expect the header of the PROXY protocol, beside one that does not. 127.0.0.1 is
/// the proxy, other addresses of this machine are strangers.
final class ProxiedListenerTest {
  private static final String HEADER = SocketClient.HEADER;

  private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
  private final StreamFixture fixture = new StreamFixture();
  private NetServer net;
  private InetSocketAddress clients;
  private InetSocketAddress clientsTls;
  private InetSocketAddress servers;
  private InetSocketAddress direct;
  private InetSocketAddress other;
  private BannedNetworks banned;

  @BeforeEach
  void start(@TempDir Path folder) throws IOException {
    StreamContext context = fixture.context(Limits.defaults(), true, blocking);
    ProxyHeaders headers =
        new ProxyHeaders(new AddressRanges(List.of("127.0.0.1")), Duration.ofMillis(500));
    AcceptLimits limits = new AcceptLimits(2, new ConnectionLimits(0, 1, 100));
    StreamProfile profile = context.profile();
    net =
        new NetServer(
            new NetServer.Settings(
                List.of(
                    listener(Listener.Kind.STARTTLS).withProfile(profile, limits).behind(headers),
                    listener(Listener.Kind.DIRECT_TLS).behind(headers).withProfile(profile, limits),
                    listener(Listener.Kind.SERVER)
                        .behind(headers)
                        .withProfile(asServers(profile), limits),
                    listener(Listener.Kind.STARTTLS),
                    listener(Listener.Kind.HTTP)
                        .withSetup(ProxiedListenerTest::greet, limits)
                        .behind(headers)),
                1,
                NetServer.Io.AUTO),
            new Certificates(
                new CertificateFiles(
                    List.of(
                        SelfSigned.ensure(
                            folder,
                            List.of("example.org"),
                            InstantSource.system(),
                            new SecureRandom()))),
                InstantSource.system()),
            context,
            blocking);
    List<Listener> bound = net.start();
    clients = bound.get(0).address();
    clientsTls = bound.get(1).address();
    servers = bound.get(2).address();
    direct = bound.get(3).address();
    other = bound.get(4).address();
    banned = context.sasl().throttle().banned();
  }

  private static Listener listener(Listener.Kind kind) {
    return Listener.parse(kind, "127.0.0.1:0");
  }

  private static void greet(AcceptedChannel accepted) {
    ChannelFuture _ =
        accepted.channel().writeAndFlush(Unpooled.copiedBuffer("hello", StandardCharsets.US_ASCII));
  }

  private static StreamProfile asServers(StreamProfile profile) {
    return new StreamProfile(
        profile.headers(),
        profile.limits(),
        profile.times(),
        profile.ids(),
        profile.workers(),
        profile.directTls(),
        profile.roles());
  }

  @AfterEach
  void stop() {
    net.stop(Duration.ofSeconds(1));
    blocking.close();
  }

  private static SocketClient proxied(InetSocketAddress to, byte[] header) throws IOException {
    SocketClient client = new SocketClient(to);
    client.socket().getOutputStream().write(header);
    return client;
  }

  @Test
  void eachClientHasTheLimitsOfItsOwnAddress() throws Exception {
    try (SocketClient first = proxied(clients, ProxyBytes.lineFor("198.51.100.4"));
        SocketClient second = proxied(clients, ProxyBytes.binaryFor("198.51.100.4"));
        SocketClient other = proxied(clients, ProxyBytes.binaryFor("198.51.100.5"))) {
      for (SocketClient each : List.of(first, second, other)) {
        each.send(HEADER).until("<stream:features");
      }
      try (SocketClient third = proxied(clients, ProxyBytes.lineFor("198.51.100.4"))) {
        third.untilClosedInAnyWay(); // two connections may come from each address
      }
      assertThat(net.stats().connectionsRefused()).isEqualTo(1);
    }
  }

  @Test
  void connectionsFromABannedNetworkEnd() throws Exception {
    try (SocketClient client = proxied(clients, ProxyBytes.lineFor("198.51.100.4"));
        SocketClient server = proxied(servers, ProxyBytes.lineFor("198.51.100.4"));
        SocketClient handshake = proxied(clientsTls, ProxyBytes.lineFor("198.51.100.4"));
        SocketClient browser = proxied(other, ProxyBytes.lineFor("198.51.100.5"));
        SocketClient neighbour = proxied(clients, ProxyBytes.lineFor("198.51.101.4"))) {
      client.send(HEADER).until("<stream:features");
      server.send(HEADER).until("<stream:features");
      neighbour.send(HEADER).until("</stream:features>");
      browser.until("hello");
      banned.set(
          List.of("198.51.100.0/24"), new AddressRanges(List.of("198.51.100.0/24"))::contains);
      assertThat(client.untilClosedInAnyWay()).contains("<policy-violation");
      assertThat(server.untilClosedInAnyWay()).contains("<policy-violation");
      assertThat(handshake.untilClosedInAnyWay()).doesNotContain("stream");
      assertThat(browser.untilClosedInAnyWay()).isEmpty();
      neighbour.send("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>").until("<proceed");
    }
  }

  @Test
  void tlsFollowsTheHeader() throws Exception {
    try (SocketClient client = proxied(clientsTls, ProxyBytes.binaryFor("2001:db8::4"))) {
      client.startTls("TLSv1.3");
      client.send(HEADER).until("<stream:features");
    }
    try (SocketClient client = proxied(clients, ProxyBytes.lineFor("198.51.100.4"))) {
      client.send(HEADER).until("</stream:features>");
      client.send("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>").until("<proceed");
      client.until(">");
      client.startTls("TLSv1.3");
      client.send(HEADER).until("<stream:features");
    }
  }

  @Test
  void otherServersMayBeBehindAProxyToo() throws Exception {
    try (SocketClient first = proxied(servers, ProxyBytes.binaryFor("198.51.100.4"));
        SocketClient second = proxied(servers, ProxyBytes.binaryFor("198.51.100.5"))) {
      first.send(HEADER).until("<stream:features");
      second.send(HEADER).until("<stream:features");
    }
  }

  @Test
  void theStreamMayFollowInTheSamePacket() throws Exception {
    String all = "PROXY TCP4 198.51.100.4 192.0.2.1 1 2\r\n" + HEADER;
    try (SocketClient client = proxied(clients, all.getBytes(StandardCharsets.US_ASCII))) {
      client.until("<stream:features");
    }
  }

  @Test
  void modulesSeeTheClientsAddress() throws Exception {
    fixture.unauthenticated.put(
        new QName("jabber:iq:register", "query"),
        (iq, payload, client) ->
            IqReply.result(
                Element.builder(payload.name())
                    .child("key", client.address().getHostAddress())
                    .build()));
    try (SocketClient client = proxied(clientsTls, ProxyBytes.lineFor("198.51.100.4"))) {
      client.startTls("TLSv1.3");
      client.send(HEADER).until("</stream:features>");
      client.send("<iq type='get' id='r'><query xmlns='jabber:iq:register'/></iq>");
      assertThat(client.until("</iq>")).contains(">198.51.100.4<");
    }
  }

  /// The server's settings allow clients of its machine, such as the proxy, to log in so.
  @Test
  void row95_aClientOfAProxyOnThisMachineIsNotOnThisMachine() throws Exception {
    try (SocketClient client = proxied(clients, ProxyBytes.lineFor("198.51.100.4"))) {
      assertThat(client.send(HEADER).until("</stream:features>"))
          .contains("<starttls")
          .doesNotContain("<mechanisms");
    }
    try (SocketClient proxy = proxied(clients, ProxyBytes.line("PROXY UNKNOWN"))) {
      assertThat(proxy.send(HEADER).until("</stream:features>")).contains("<mechanisms");
    }
  }

  @Test
  void row95_aConnectionWithoutAHeaderIsRefused() throws Exception {
    try (SocketClient client = new SocketClient(clients)) {
      assertThat(client.send(HEADER).untilClosedInAnyWay()).isEmpty();
    }
    try (SocketClient silent = new SocketClient(clients)) {
      assertThat(silent.untilClosedInAnyWay()).isEmpty(); // after half a second
    }
    try (SocketClient slow =
        proxied(clients, "PROXY TCP4 198.51".getBytes(StandardCharsets.US_ASCII))) {
      assertThat(slow.untilClosedInAnyWay()).isEmpty();
    }
    assertThat(net.stats().connectionsRefused()).isEqualTo(3);
  }

  @Test
  void row95_aStrangerCannotChooseItsAddress() throws Exception {
    try (SocketClient stranger = new SocketClient(clients, "127.0.0.2")) {
      Socket socket = stranger.socket();
      socket.getOutputStream().write(ProxyBytes.lineFor("198.51.100.4"));
      assertThat(stranger.untilClosedInAnyWay()).isEmpty();
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("reset"); // it was quicker than the header
    }
    assertThat(net.stats().connectionsRefused()).isEqualTo(1);
    // Nor can the second line of a client that a proxy has named.
    try (SocketClient client = proxied(clients, ProxyBytes.lineFor("198.51.100.4"))) {
      client.socket().getOutputStream().write(ProxyBytes.lineFor("203.0.113.1"));
      assertThat(client.untilClosedInAnyWay()).contains("<stream:error>");
    }
  }

  @Test
  void row95_aListenerThatDoesNotExpectTheHeaderDoesNotKnowIt() throws Exception {
    try (SocketClient client = proxied(direct, ProxyBytes.lineFor("198.51.100.4"))) {
      assertThat(client.send(HEADER).untilClosedInAnyWay()).contains("<stream:error>");
    }
    try (SocketClient client = proxied(direct, ProxyBytes.binaryFor("198.51.100.4"))) {
      assertThat(client.send(HEADER).untilClosedInAnyWay()).contains("<stream:error>");
    }
  }
}
