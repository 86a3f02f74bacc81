package im.zonda.net;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.ConnectionLimits;
import im.zonda.config.limits.Limits;
import im.zonda.net.tls.CertificateFiles;
import im.zonda.net.tls.Certificates;
import im.zonda.net.tls.SelfSigned;
import im.zonda.stream.StreamProfile;
import im.zonda.stream.TlsStart;
import im.zonda.stream.client.StreamContext;
import im.zonda.stream.client.StreamFixture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Listeners for other servers beside those for clients: a profile and limits of their own.
final class ServerListenerTest {
  private static final String HEADER = SocketClient.HEADER;
  private static final String SERVER_HEADER = HEADER.replace("jabber:client", "jabber:server");

  private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
  private NetServer net;
  private InetSocketAddress clients;
  private InetSocketAddress servers;
  private InetSocketAddress serversTls;

  @BeforeEach
  void start(@TempDir Path folder) throws IOException {
    StreamContext context = new StreamFixture().context(Limits.defaults(), true, blocking);
    AcceptLimits limits = new AcceptLimits(3, new ConnectionLimits(0, 1, 2));
    StreamProfile profile = asServerStreams(context.profile());
    net =
        new NetServer(
            new NetServer.Settings(
                List.of(
                    Listener.parse(Listener.Kind.STARTTLS, "127.0.0.1:0"),
                    Listener.parse(Listener.Kind.SERVER, "127.0.0.1:0")
                        .withProfile(profile, limits),
                    Listener.parse(Listener.Kind.SERVER_DIRECT_TLS, "127.0.0.1:0")
                        .withProfile(profile, limits)),
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
    servers = bound.get(1).address();
    serversTls = bound.get(2).address();
    assertThat(bound.get(2).kind()).isEqualTo(Listener.Kind.SERVER_DIRECT_TLS);
  }

  /// The same roles in another namespace, which is enough to tell the streams apart.
  private static StreamProfile asServerStreams(StreamProfile profile) {
    return new StreamProfile(
        new StreamProfile.Headers("jabber:server", false, true, Map.of()),
        profile.limits(),
        profile.times(),
        profile.ids(),
        profile.workers(),
        TlsStart.server(List.of("xmpp-server")),
        profile.roles());
  }

  @AfterEach
  void stop() {
    net.stop(Duration.ofSeconds(1));
    blocking.close();
  }

  @Test
  void eachListenerHasItsProfile() throws Exception {
    try (SocketClient client = new SocketClient(clients);
        SocketClient server = new SocketClient(servers);
        SocketClient tls = new SocketClient(serversTls)) {
      assertThat(client.send(HEADER).until("<stream:features")).contains("xmlns='jabber:client'");
      assertThat(server.send(SERVER_HEADER).until("<stream:features"))
          .contains("xmlns='jabber:server'");
      assertThat(tls.startTls("TLSv1.3", "xmpp-server").getApplicationProtocol())
          .isEqualTo("xmpp-server");
      assertThat(tls.send(SERVER_HEADER).until("<stream:features"))
          .contains("xmlns='jabber:server'");
    }
  }

  @Test
  void aFloodOfServersDoesNotExcludeClients() throws Exception {
    try (SocketClient client = new SocketClient(clients);
        SocketClient first = new SocketClient(servers);
        SocketClient second = new SocketClient(serversTls)) {
      client.send(HEADER).until("<stream:features");
      first.send(SERVER_HEADER).until("<stream:features");
      try (SocketClient third = new SocketClient(servers)) {
        third.untilClosedInAnyWay(); // two may be unauthenticated, at both listeners together
      }
      second.startTls("TLSv1.3", "xmpp-server");
      try (SocketClient other = new SocketClient(clients)) {
        other.send(HEADER).until("<stream:features");
      }
      assertThat(net.stats().connectionsRefused()).isEqualTo(1);
    }
  }

  @Test
  void aFloodOfClientsDoesNotExcludeServers() throws Exception {
    SocketClient[] all = new SocketClient[8];
    try {
      for (int i = 0; i < all.length; i++) {
        all[i] = new SocketClient(clients);
        all[i].send(HEADER).until("<stream:features");
      }
      try (SocketClient server = new SocketClient(servers)) {
        server.send(SERVER_HEADER).until("<stream:features");
      }
    } finally {
      for (SocketClient each : all) {
        each.close();
      }
    }
  }
}
