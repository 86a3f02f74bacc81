package im.zonda.testkit.server;

import im.zonda.config.Http;
import im.zonda.config.ProxyProtocol;
import im.zonda.config.limits.Limits;
import im.zonda.host.XmppServer;
import im.zonda.net.Listener;
import im.zonda.net.NetServer;
import im.zonda.net.edge.CoreAddress;
import im.zonda.net.edge.CoreEdges;
import im.zonda.net.edge.EdgeServer;
import im.zonda.net.tls.CertificateFiles;
import im.zonda.net.tls.Certificates;
import im.zonda.net.tls.MutualTls;
import im.zonda.net.tls.PemFiles;
import im.zonda.net.tls.SelfSigned;
import im.zonda.runtime.ServerRuntime;
import im.zonda.testkit.SeededIds;
import im.zonda.testkit.client.BoshNetwork;
import im.zonda.testkit.client.BoshWire;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.client.WebSocketWire;
import im.zonda.testkit.client.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// An edge on loopback sockets with free ports. Cores and edge know each other's self-signed
/// certificates.
public final class TestEdge implements AutoCloseable {
  private static final String CORE = "localhost";
  private static final String EDGE = "edge.test";

  /// Another name that cores accept.
  public static final String OTHER_EDGE = "other.test";

  /// The address of this machine that the edge takes for a reverse proxy.
  public static final String PROXY = "127.0.0.7";

  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final RealTimers timers = new RealTimers();
  private final EdgeServer edge;

  /// An edge of the cores that listen at those ports.
  ///
  /// @param folder where the certificates of edge and core are
  /// @param hosts certificate of the virtual hosts
  public TestEdge(Path folder, List<Integer> corePorts, PemFiles hosts, Limits limits)
      throws IOException {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    edge =
        EdgeServer.start(
            new EdgeServer.Settings(
                new NetServer.Settings(
                    List.of(
                        new Listener(Listener.Kind.STARTTLS, anyPort),
                        new Listener(Listener.Kind.DIRECT_TLS, anyPort)),
                    1,
                    NetServer.Io.AUTO),
                new Http(
                    List.of("127.0.0.1:0"),
                    List.of("127.0.0.1:0"),
                    null,
                    List.of(),
                    true,
                    List.of(PROXY)),
                ProxyProtocol.DEFAULTS,
                new Certificates(new CertificateFiles(List.of(hosts)), InstantSource.system()),
                limits,
                new EdgeServer.Cores(
                    corePorts.stream().map(port -> new CoreAddress(CORE, port)).toList(),
                    tls(folder, EDGE, CORE),
                    Duration.ofSeconds(60))),
            new ServerRuntime(
                InstantSource.system(),
                timers,
                new SeededIds(corePorts.getFirst()),
                new SecureRandom(),
                workers));
  }

  /// Has a server accept edges.
  ///
  /// @param port where; 0 for any free one
  static CoreEdges accept(XmppServer server, Path folder, String secret, int port)
      throws IOException {
    return CoreEdges.start(
        List.of(
            new Listener(
                Listener.Kind.EDGE, new InetSocketAddress(InetAddress.getLoopbackAddress(), port))),
        MutualTls.load(certificate(folder, CORE), authority(folder)),
        server.edges(secret.getBytes(StandardCharsets.US_ASCII), 10_000),
        Runnable::run);
  }

  /// The certificates of one side.
  public static MutualTls tls(Path folder, String own, String other) throws IOException {
    return MutualTls.load(certificate(folder, own), certificate(folder, other).certificate());
  }

  /// A file with the certificates of all edges that cores accept.
  private static Path authority(Path folder) throws IOException {
    return Files.writeString(
        folder.resolve("edges.pem"),
        Files.readString(certificate(folder, EDGE).certificate())
            + Files.readString(certificate(folder, OTHER_EDGE).certificate()));
  }

  private static PemFiles certificate(Path folder, String name) throws IOException {
    return SelfSigned.ensure(
        folder.resolve(name), List.of(name), InstantSource.system(), new SecureRandom());
  }

  /// Where clients connect.
  public InetSocketAddress address(Login.Security security) {
    return address(
        security == Login.Security.DIRECT_TLS ? Listener.Kind.DIRECT_TLS : Listener.Kind.STARTTLS);
  }

  /// Where connections of that kind are accepted.
  public InetSocketAddress address(Listener.Kind kind) {
    return edge.listeners().stream()
        .filter(listener -> listener.kind() == kind)
        .findFirst()
        .orElseThrow()
        .address();
  }

  /// Creates a client that is connected to the edge and has sent nothing.
  public ScriptedClient connected() throws IOException {
    return new ScriptedClient(SocketWire.connect(address(Login.Security.STARTTLS)));
  }

  /// Connects as `access` says, with TLS unless it is TCP.
  public Wire wire(ServerPlan.Access access, String domain) throws IOException {
    InetSocketAddress https = address(Listener.Kind.HTTPS);
    return switch (access) {
      case DIRECT, EDGE -> SocketWire.connect(address(Login.Security.STARTTLS));
      case WEBSOCKET, EDGE_WEBSOCKET -> WebSocketWire.connect(https, domain);
      case BOSH, EDGE_BOSH -> BoshWire.over(BoshNetwork.https(https, domain));
    };
  }

  /// Creates a client that has logged in and bound, with that access.
  public ScriptedClient connect(ServerPlan.Access access, String address) throws IOException {
    boolean tcp = access == ServerPlan.Access.DIRECT || access == ServerPlan.Access.EDGE;
    Login login =
        Login.of(address, TestServer.PASSWORD)
            .withSecurity(tcp ? Login.Security.STARTTLS : Login.Security.DIRECT_TLS);
    return new ScriptedClient(wire(access, login.domain())).login(login);
  }

  /// Creates a client that has logged in and bound.
  public ScriptedClient connect(String address) throws IOException {
    return connected()
        .login(Login.of(address, TestServer.PASSWORD).withSecurity(Login.Security.STARTTLS));
  }

  /// How many clients' streams there are.
  public int streams() {
    return edge.streams();
  }

  /// Cuts the connections to the cores.
  public void cutCores() {
    edge.cutCores();
  }

  @Override
  public void close() {
    edge.stop(Duration.ofSeconds(5));
    timers.close();
    workers.close();
  }
}
