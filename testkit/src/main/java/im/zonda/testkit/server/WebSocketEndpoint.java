package im.zonda.testkit.server;

import im.zonda.config.Http;
import im.zonda.config.ServerConfig;
import im.zonda.host.XmppServer;
import im.zonda.net.NetServer;
import im.zonda.net.http.HttpServer;
import im.zonda.net.tls.CertificateFiles;
import im.zonda.net.tls.Certificates;
import im.zonda.testkit.client.Inbox;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.WebSocketWire;
import im.zonda.testkit.client.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executor;

/// A server on sockets whose clients connect by WebSocket with TLS; components and other servers
/// connect as usual.
final class WebSocketEndpoint implements Endpoint {
  private static final Duration DRAIN = Duration.ofSeconds(5);

  private final SocketEndpoint sockets;
  private final NetServer net;
  private final InetSocketAddress address;

  WebSocketEndpoint(
      SocketEndpoint sockets, ServerConfig config, XmppServer server, Executor workers)
      throws IOException {
    this.sockets = sockets;
    Http settings = new Http(List.of(), List.of("127.0.0.1:0"), null, List.of());
    HttpServer http =
        new HttpServer(
            settings,
            config.limits().http(),
            server.http(),
            new HttpServer.Environment(InstantSource.system(), workers));
    Certificates certificates =
        new Certificates(
            new CertificateFiles(List.of(SocketEndpoint.certificate(config))),
            InstantSource.system());
    net =
        new NetServer(
            new NetServer.Settings(http.listeners(), 1, NetServer.Io.AUTO),
            certificates,
            server.streams(),
            workers);
    address = net.start().getFirst().address();
  }

  @Override
  public Wire connect(Login.Security security, String domain) throws IOException {
    return WebSocketWire.connect(address, domain);
  }

  @Override
  public Wire connectComponent() throws IOException {
    return sockets.connectComponent();
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
    net.stop(DRAIN);
    sockets.close();
  }
}
