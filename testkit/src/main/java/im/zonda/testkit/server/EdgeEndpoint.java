package im.zonda.testkit.server;

import im.zonda.config.ServerConfig;
import im.zonda.host.XmppServer;
import im.zonda.metric.TimingCounts;
import im.zonda.net.edge.CoreEdges;
import im.zonda.net.tls.PemFiles;
import im.zonda.testkit.client.Inbox;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.client.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;

/// A server on sockets whose clients connect through an edge; components and other servers connect
/// to it directly.
final class EdgeEndpoint implements Endpoint {
  private final SocketEndpoint core;
  private final CoreEdges edges;
  private final TestEdge edge;
  private final ServerPlan.Access access;

  /// @param plan says how clients connect to the edge
  EdgeEndpoint(SocketEndpoint core, ServerPlan plan, ServerConfig config, XmppServer server)
      throws IOException {
    this.core = core;
    this.access = plan.access();
    PemFiles hosts = SocketEndpoint.certificate(config);
    edges = TestEdge.accept(server, config.data(), plan.secret(), 0);
    edge =
        new TestEdge(
            config.data(), List.of(edges.addresses().getFirst().getPort()), hosts, config.limits());
  }

  @Override
  public Wire connect(Login.Security security, String domain) throws IOException {
    if (access != ServerPlan.Access.EDGE) {
      return edge.wire(access, domain);
    }
    InetSocketAddress address = address(security);
    return security == Login.Security.DIRECT_TLS
        ? SocketWire.connectTls(address, domain)
        : SocketWire.connect(address);
  }

  @Override
  public Wire connectComponent() throws IOException {
    return core.connectComponent();
  }

  @Override
  public TimingCounts written(String namespace) {
    return core.written(namespace);
  }

  @Override
  public Inbox inbox() {
    return core.inbox();
  }

  @Override
  public InetSocketAddress address(Login.Security security) {
    return edge.address(security);
  }

  @Override
  public InetSocketAddress serverAddress(boolean directTls) {
    return core.serverAddress(directTls);
  }

  @Override
  public Login.Security usualSecurity() {
    return access == ServerPlan.Access.EDGE ? core.usualSecurity() : Login.Security.DIRECT_TLS;
  }

  @Override
  public void settle() {}

  @Override
  public void close() {
    edge.close();
    edges.stop();
    core.close();
  }
}
