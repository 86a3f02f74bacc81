package im.zonda.testkit.server;

import im.zonda.config.ServerConfig;
import im.zonda.host.XmppServer;
import im.zonda.metric.TimingCounts;
import im.zonda.net.Listener;
import im.zonda.net.NetServer;
import im.zonda.net.tls.CertificateFiles;
import im.zonda.net.tls.Certificates;
import im.zonda.net.tls.PemFiles;
import im.zonda.net.tls.SelfSigned;
import im.zonda.testkit.client.Inbox;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.client.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// A server on loopback sockets with free ports.
final class SocketEndpoint implements Endpoint {
  private static final Duration DRAIN = Duration.ofSeconds(5);

  private final NetServer net;
  private final List<Listener> listeners;

  SocketEndpoint(
      ServerConfig config,
      XmppServer server,
      Executor workers,
      @Nullable SocketFederation federation)
      throws IOException {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    List<Listener> planned =
        new ArrayList<>(
            List.of(
                new Listener(Listener.Kind.STARTTLS, anyPort),
                new Listener(Listener.Kind.DIRECT_TLS, anyPort),
                new Listener(Listener.Kind.COMPONENT, anyPort)
                    .withProfile(server.components().profile(), null)));
    if (federation != null) {
      planned.addAll(federation.listeners(anyPort));
    }
    NetServer.Settings settings =
        new NetServer.Settings(planned, config.c2s().eventLoops(), NetServer.Io.AUTO);
    // Certificates use real time even with a fake clock, because the client checks them.
    Certificates certificates =
        new Certificates(
            new CertificateFiles(List.of(certificate(config))),
            InstantSource.system(),
            config.s2s().ca());
    certificates.serve(server.serviceDomains());
    net = new NetServer(settings, certificates, server.streams(), workers);
    listeners = net.start();
    if (federation != null) {
      federation.started(net);
    }
  }

  /// The certificate of the virtual hosts.
  static PemFiles certificate(ServerConfig config) throws IOException {
    Path certificate = config.tls().certificate();
    Path key = config.tls().key();
    if (certificate != null && key != null) {
      return new PemFiles(certificate, key);
    }
    List<String> domains = new ArrayList<>(config.hosts());
    config.hosts().forEach(host -> domains.addAll(config.serviceDomains(host)));
    return SelfSigned.ensure(config.data(), domains, InstantSource.system(), new SecureRandom());
  }

  @Override
  public Wire connect(Login.Security security, String domain) throws IOException {
    InetSocketAddress address = address(security);
    return security == Login.Security.DIRECT_TLS
        ? SocketWire.connectTls(address, domain)
        : SocketWire.connect(address);
  }

  @Override
  public Inbox inbox() {
    return Inbox.queue();
  }

  @Override
  public InetSocketAddress address(Login.Security security) {
    return address(
        security == Login.Security.DIRECT_TLS ? Listener.Kind.DIRECT_TLS : Listener.Kind.STARTTLS);
  }

  @Override
  public Wire connectComponent() throws IOException {
    return SocketWire.connect(address(Listener.Kind.COMPONENT));
  }

  @Override
  public InetSocketAddress serverAddress(boolean directTls) {
    return address(directTls ? Listener.Kind.SERVER_DIRECT_TLS : Listener.Kind.SERVER);
  }

  private InetSocketAddress address(Listener.Kind kind) {
    return listeners.stream()
        .filter(listener -> listener.kind() == kind)
        .findFirst()
        .orElseThrow()
        .address();
  }

  @Override
  public Login.Security usualSecurity() {
    return Login.Security.STARTTLS;
  }

  @Override
  public void settle() {}

  @Override
  public void cut() {
    net.stop(Duration.ZERO);
  }

  @Override
  public TimingCounts written(String namespace) {
    return net.written(namespace);
  }

  @Override
  public void close() {
    net.stop(DRAIN);
  }
}
