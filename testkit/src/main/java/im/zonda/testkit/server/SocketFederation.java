package im.zonda.testkit.server;

import im.zonda.config.ServerConfig;
import im.zonda.host.Federation;
import im.zonda.host.XmppServer;
import im.zonda.net.AcceptLimits;
import im.zonda.net.DomainConnector;
import im.zonda.net.Listener;
import im.zonda.net.NetServer;
import im.zonda.store.Stores;
import im.zonda.stream.server.DialbackKeys;
import java.net.InetSocketAddress;
import java.util.List;

/// The federation of a server on sockets.
record SocketFederation(DomainConnector connector, Federation federation, AcceptLimits limits) {
  /// Starts federation; to be called before the network starts.
  static SocketFederation start(
      XmppServer server,
      ServerConfig config,
      Stores stores,
      DomainConnector connector,
      String secret) {
    Federation federation =
        server.federate(config, new Federation.Parts(stores, connector, new DialbackKeys(secret)));
    AcceptLimits limits =
        new AcceptLimits(
            config.s2s().limits().connectionsPerAddress(), config.s2s().limits().connections());
    return new SocketFederation(connector, federation, limits);
  }

  /// Where other servers connect.
  List<Listener> listeners(InetSocketAddress anyPort) {
    return List.of(
        new Listener(Listener.Kind.SERVER, anyPort).withProfile(federation.incoming(), limits),
        new Listener(Listener.Kind.SERVER_DIRECT_TLS, anyPort)
            .withProfile(federation.incoming(), limits));
  }

  /// The network has been started.
  void started(NetServer net) {
    connector.use(net);
    federation.started();
  }
}
