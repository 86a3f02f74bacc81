package im.zonda.app;

import im.zonda.config.S2s;
import im.zonda.config.ServerConfig;
import im.zonda.dns.DnsAddresses;
import im.zonda.dns.ServerAddresses;
import im.zonda.dns.StaticRoutes;
import im.zonda.host.Federation;
import im.zonda.host.XmppServer;
import im.zonda.net.AcceptLimits;
import im.zonda.net.DomainConnector;
import im.zonda.net.Listener;
import im.zonda.net.NetServer;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.Stores;
import im.zonda.stream.StreamProfile;
import im.zonda.stream.server.DialbackKeys;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The parts of the network for streams with other servers.
///
/// @param listeners where other servers connect; empty without federation
/// @param outgoing how this server connects to others; null without federation
record ServerListeners(List<Listener> listeners, @Nullable Outgoing outgoing) {
  /// Federation, and what connects it to other servers.
  private record Outgoing(Federation federation, DomainConnector connector) {}

  /// Starts federation if the configuration says so.
  ///
  /// @param secret stays the same over restarts
  static ServerListeners start(
      ServerConfig config, Stores stores, XmppServer server, ServerRuntime runtime, byte[] secret) {
    S2s settings = config.s2s();
    if (!settings.enabled()) {
      return new ServerListeners(List.of(), null);
    }
    DomainConnector connector =
        new DomainConnector(addresses(settings, runtime), runtime.workers());
    Federation federation =
        server.federate(config, new Federation.Parts(stores, connector, keys(secret)));
    return new ServerListeners(
        listeners(settings, federation.incoming()), new Outgoing(federation, connector));
  }

  /// Where other servers are: the routes of the configuration, then DNS.
  static ServerAddresses addresses(S2s settings, ServerRuntime runtime) {
    return new StaticRoutes(settings.route(), DnsAddresses.create(settings.dns(), runtime));
  }

  static DialbackKeys keys(byte[] secret) {
    return new DialbackKeys(HexFormat.of().formatHex(secret));
  }

  private static List<Listener> listeners(S2s settings, StreamProfile profile) {
    AcceptLimits limits =
        new AcceptLimits(
            settings.limits().connectionsPerAddress(), settings.limits().connections());
    List<Listener> listeners = new ArrayList<>();
    for (String address : settings.listen()) {
      listeners.add(Listener.parse(Listener.Kind.SERVER, address).withProfile(profile, limits));
    }
    for (String address : settings.listenTls()) {
      listeners.add(
          Listener.parse(Listener.Kind.SERVER_DIRECT_TLS, address).withProfile(profile, limits));
    }
    return List.copyOf(listeners);
  }

  /// The network has been started.
  void started(NetServer net) {
    Outgoing waiting = outgoing;
    if (waiting != null) {
      waiting.connector().use(net);
      waiting.federation().started();
    }
  }
}
