package im.zonda.dns;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;

/// The servers that the configuration names (`[s2s.route]`), before those of DNS. A host's name is
/// looked up by the operating system, so that its hosts file counts.
public final class StaticRoutes implements ServerAddresses {
  private static final String DIRECT_TLS = "tls://";

  private final Map<String, String> routes;
  private final ServerAddresses others;

  /// @param routes `host:port` or `tls://host:port` by prepared domain
  /// @param others finds the servers of other domains
  public StaticRoutes(Map<String, String> routes, ServerAddresses others) {
    this.routes = Map.copyOf(routes);
    this.others = others;
  }

  @Override
  public Found find(String domain) {
    String route;
    try {
      route = routes.get(Jid.of(null, domain, null).domain());
    } catch (JidFormatException e) {
      return new Found.NoSuchDomain();
    }
    return route == null ? others.find(domain) : read(route);
  }

  private static Found read(String route) {
    boolean directTls = route.startsWith(DIRECT_TLS);
    HostAndPort at = HostAndPort.parse(directTls ? route.substring(DIRECT_TLS.length()) : route);
    try {
      List<InetAddress> addresses = List.of(InetAddress.getAllByName(at.host()));
      return new Found.Targets(
          List.of(new Target(at.host(), addresses, at.port(), directTls, List.of())), false);
    } catch (UnknownHostException e) {
      return new Found.Unavailable("s2s.route: " + at.host() + " has no address");
    }
  }
}
