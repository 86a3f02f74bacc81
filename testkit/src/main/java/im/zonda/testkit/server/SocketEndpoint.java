package im.zonda.testkit.server;

import im.zonda.config.ServerConfig;
import im.zonda.host.XmppServer;
import im.zonda.net.Listener;
import im.zonda.net.NetServer;
import im.zonda.net.tls.CertificateFiles;
import im.zonda.net.tls.Certificates;
import im.zonda.net.tls.SelfSigned;
import im.zonda.testkit.client.Inbox;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.client.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/// A server on loopback sockets with free ports.
final class SocketEndpoint implements Endpoint {
  private static final Duration DRAIN = Duration.ofSeconds(5);

  private final NetServer net;
  private final List<Listener> listeners;

  SocketEndpoint(ServerConfig config, XmppServer server, Executor workers) throws IOException {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    NetServer.Settings settings =
        new NetServer.Settings(
            List.of(
                new Listener(Listener.Kind.STARTTLS, anyPort),
                new Listener(Listener.Kind.DIRECT_TLS, anyPort),
                new Listener(Listener.Kind.COMPONENT, anyPort)
                    .withProfile(server.components().profile(), null)),
            config.c2s().eventLoops(),
            NetServer.Io.AUTO);
    // Certificates use real time even with a fake clock, because the client checks them.
    List<String> domains = new ArrayList<>(config.hosts());
    config.hosts().forEach(host -> domains.addAll(config.serviceDomains(host)));
    Certificates certificates =
        new Certificates(
            new CertificateFiles(
                List.of(
                    SelfSigned.ensure(
                        config.data(), domains, InstantSource.system(), new SecureRandom()))),
            InstantSource.system());
    certificates.serve(server.serviceDomains());
    net = new NetServer(settings, certificates, server.streams(), workers);
    listeners = net.start();
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
  public void close() {
    net.stop(DRAIN);
  }
}
