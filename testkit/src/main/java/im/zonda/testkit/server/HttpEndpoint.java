package im.zonda.testkit.server;

import im.zonda.config.Http;
import im.zonda.config.ServerConfig;
import im.zonda.host.XmppServer;
import im.zonda.http.HttpHosts;
import im.zonda.metric.TimingCounts;
import im.zonda.net.ClientStreams;
import im.zonda.net.NetServer;
import im.zonda.net.bosh.BoshSessions;
import im.zonda.net.bosh.SessionIds;
import im.zonda.net.http.HttpServer;
import im.zonda.net.tls.CertificateFiles;
import im.zonda.net.tls.Certificates;
import im.zonda.runtime.ServerRuntime;
import im.zonda.stanza.Namespaces;
import im.zonda.testkit.client.BoshNetwork;
import im.zonda.testkit.client.BoshWire;
import im.zonda.testkit.client.Inbox;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.WebSocketWire;
import im.zonda.testkit.client.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/// A server on sockets whose clients connect by HTTP with TLS, on WebSockets or by BOSH; components
/// and other servers connect as usual.
final class HttpEndpoint implements Endpoint {
  private static final Duration DRAIN = Duration.ofSeconds(5);
  private static final Http SETTINGS = new Http(List.of(), List.of("127.0.0.1:0"), null, List.of());

  private final SocketEndpoint sockets;
  private final NetServer net;
  private final Access access;
  private final InetSocketAddress address;

  /// Makes the connection of a client.
  @FunctionalInterface
  interface Connector {
    Wire connect(InetSocketAddress address, String domain) throws IOException;
  }

  /// How clients connect.
  ///
  /// @param hosts the routes
  /// @param connector makes their connections
  /// @param stop ends what is not a connection
  /// @param times how long messages take that are not written to a stream
  private record Access(
      HttpHosts hosts, Connector connector, Runnable stop, Supplier<TimingCounts> times) {}

  private HttpEndpoint(
      SocketEndpoint sockets,
      ServerConfig config,
      XmppServer server,
      ServerRuntime runtime,
      Access access)
      throws IOException {
    this.sockets = sockets;
    this.access = access;
    HttpServer http = new HttpServer(SETTINGS, config.limits().http(), access.hosts(), runtime);
    Certificates certificates =
        new Certificates(
            new CertificateFiles(List.of(SocketEndpoint.certificate(config))),
            InstantSource.system());
    net =
        new NetServer(
            new NetServer.Settings(http.listeners(), 1, NetServer.Io.AUTO),
            certificates,
            server.streams(),
            runtime.workers());
    address = net.start().getFirst().address();
  }

  /// A server for clients on WebSockets.
  static HttpEndpoint webSockets(
      SocketEndpoint sockets, ServerConfig config, XmppServer server, ServerRuntime runtime)
      throws IOException {
    return new HttpEndpoint(
        sockets,
        config,
        server,
        runtime,
        new Access(server.http(), WebSocketWire::connect, () -> {}, () -> TimingCounts.NONE));
  }

  /// A server for clients of BOSH.
  static HttpEndpoint bosh(
      SocketEndpoint sockets,
      ServerConfig config,
      XmppServer server,
      ServerRuntime runtime,
      SessionIds ids)
      throws IOException {
    BoshSessions sessions =
        new BoshSessions(
            ClientStreams.of(server.streams()),
            config.limits().http().bosh(),
            runtime.clock()::millis,
            ids);
    server.receivePostsBy(sessions.posts());
    return new HttpEndpoint(
        sockets,
        config,
        server,
        runtime,
        new Access(
            sessions.servedAt(server.http()),
            (address, domain) -> BoshWire.over(BoshNetwork.https(address, domain)),
            sessions::stop,
            sessions::inside));
  }

  @Override
  public Wire connect(Login.Security security, String domain) throws IOException {
    return access.connector().connect(address, domain);
  }

  @Override
  public Wire connectComponent() throws IOException {
    return sockets.connectComponent();
  }

  @Override
  public TimingCounts written(String namespace) {
    TimingCounts all = net.written(namespace).plus(sockets.written(namespace));
    return namespace.equals(Namespaces.CLIENT) ? all.plus(access.times().get()) : all;
  }

  @Override
  public Inbox inbox() {
    return sockets.inbox();
  }

  @Override
  public InetSocketAddress address(Login.Security security) {
    return address;
  }

  @Override
  public InetSocketAddress serverAddress(boolean directTls) {
    return sockets.serverAddress(directTls);
  }

  @Override
  public Login.Security usualSecurity() {
    return Login.Security.DIRECT_TLS;
  }

  @Override
  public void settle() {}

  @Override
  public void close() {
    access.stop().run();
    net.stop(DRAIN);
    sockets.close();
  }
}
