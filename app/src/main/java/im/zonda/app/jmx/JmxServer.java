package im.zonda.app.jmx;

import im.zonda.app.metric.StandardMeters;
import im.zonda.app.operation.ServerOperations;
import im.zonda.config.ServerConfig;
import im.zonda.config.monitoring.Jmx;
import im.zonda.metric.Meter;
import im.zonda.metric.Meters;
import im.zonda.net.proxy.AddressRanges;
import im.zonda.net.tls.Certificates;
import im.zonda.operation.token.TokenAuthentication;
import im.zonda.runtime.ServerRuntime;
import im.zonda.throttle.LoginThrottle;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnectorServer;
import javax.management.remote.rmi.RMIJRMPServerImpl;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves the meters and the MBeans of the virtual machine by JMX over RMI, registry and server at
/// one port.
///
/// What is served is a server of MBeans of its own, which has nothing else: no operation that
/// changes something, no flight recorder, no diagnostic commands.
public final class JmxServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JmxServer.class);

  /// Where clients look.
  private static final String NAME = "jmxrmi";

  /// What a client may send before it has proved a token: two strings.
  private static final String CREDENTIALS =
      "maxbytes=8192;maxarray=4;maxdepth=4;maxrefs=32;java.lang.String;!*";

  /// What it may send afterwards: names, and what the operations on threads take.
  private static final String REQUESTS =
      "maxbytes=1048576;maxarray=10000;maxdepth=12;maxrefs=20000;java.lang.String;java.lang.Number;"
          + "java.lang.Boolean;java.lang.Integer;java.lang.Long;java.lang.Object;"
          + "java.rmi.MarshalledObject;javax.management.ObjectName;javax.security.auth.Subject;"
          + "javax.management.NotificationFilterSupport;java.util.Vector;!*";

  /// RMI collects all garbage every hour otherwise, for objects that clients have forgotten.
  private static final String COLLECTION = "sun.rmi.dgc.server.gcInterval";

  private static final String HOST = "java.rmi.server.hostname";
  private static final String PLATFORM = "java.lang.management.";

  private final ConnectionSockets sockets;
  private final Registry registry;
  private final JMXConnectorServer connector;

  private JmxServer(ConnectionSockets sockets, Registry registry, JMXConnectorServer connector) {
    this.sockets = sockets;
    this.registry = registry;
    this.connector = connector;
  }

  /// Begins to serve.
  ///
  /// @param config names an address
  /// @throws IOException if it cannot listen there
  public static JmxServer start(
      ServerConfig config, ServerOperations administration, Certificates certificates)
      throws IOException {
    Jmx jmx = config.jmx();
    ServerRuntime runtime = administration.runtime();
    AddressRanges allowed = new AddressRanges(jmx.allowFrom());
    InetSocketAddress address = address(Objects.requireNonNull(jmx.listen()));
    ConnectionSockets sockets =
        new ConnectionSockets(
            address,
            jmx.tls() ? certificates : null,
            peer -> jmx.allowFrom().isEmpty() || allowed.contains(peer),
            jmx.connections());
    TokenLogin login =
        new TokenLogin(
            sockets,
            new TokenAuthentication(
                new TokenAuthentication.Parts(
                    administration.tokens(),
                    List::of,
                    _ -> true,
                    new LoginThrottle(
                        config.limits().login(),
                        config.limits().negotiationTime(),
                        runtime.clock(),
                        runtime.ids().next()),
                    runtime)),
            administration.tokens(),
            runtime.clock());
    System.setProperty(HOST, host(config, address));
    System.setProperty(COLLECTION, String.valueOf(Long.MAX_VALUE - 1));
    try {
      MBeanServer beans = beans(administration.server().catalogue().meters());
      JmxServer started = start(beans, sockets, login, jmx.tls());
      LOG.atInfo()
          .addKeyValue("address", address.getHostString() + ":" + sockets.port())
          .addKeyValue("tls", jmx.tls())
          .log("jmx_started");
      return started;
    } catch (JMException e) {
      throw new IllegalStateException("the MBeans do not fit each other", e);
    }
  }

  private static JmxServer start(
      MBeanServer beans, ConnectionSockets sockets, TokenLogin login, boolean tls)
      throws IOException {
    RMIClientSocketFactory clients = tls ? new SslRMIClientSocketFactory() : null;
    Registry registry = LocateRegistry.createRegistry(0, clients, sockets);
    try {
      Map<String, Object> settings = new HashMap<>();
      settings.put(JMXConnectorServer.AUTHENTICATOR, login);
      settings.put(RMIConnectorServer.CREDENTIALS_FILTER_PATTERN, CREDENTIALS);
      settings.put(RMIConnectorServer.SERIAL_FILTER_PATTERN, REQUESTS);
      settings.put("jmx.remote.x.daemon", "true");
      RMIJRMPServerImpl server = new RMIJRMPServerImpl(0, clients, sockets, settings);
      JMXConnectorServer connector =
          new RMIConnectorServer(new JMXServiceURL("rmi", null, 0), settings, server, beans);
      connector.setMBeanServerForwarder(ReadOnly.before(beans, login::mayRead));
      connector.start();
      registry.rebind(NAME, server.toStub());
      return new JmxServer(sockets, registry, connector);
    } catch (IOException | RuntimeException e) {
      boolean _ = UnicastRemoteObject.unexportObject(registry, true);
      sockets.close();
      throw e;
    }
  }

  private static InetSocketAddress address(String listen) throws IOException {
    int colon = listen.lastIndexOf(':');
    String host = listen.substring(0, colon).replace("[", "").replace("]", "");
    return new InetSocketAddress(
        InetAddress.getByName(host), Integer.parseInt(listen.substring(colon + 1)));
  }

  /// What clients connect to: their TLS compares it with the certificate.
  private static String host(ServerConfig config, InetSocketAddress address) {
    String host = config.jmx().host();
    if (host != null) {
      return host;
    }
    return config.jmx().tls() ? config.hosts().getFirst() : address.getAddress().getHostAddress();
  }

  private static MBeanServer beans(Meters meters) throws JMException {
    MBeanServer beans = MBeanServerFactory.newMBeanServer("im.zonda");
    for (Class<? extends PlatformManagedObject> type :
        ManagementFactory.getPlatformManagementInterfaces()) {
      if (type.getName().startsWith(PLATFORM)) {
        for (PlatformManagedObject each : ManagementFactory.getPlatformMXBeans(type)) {
          if (!beans.isRegistered(each.getObjectName())) {
            beans.registerMBean(each, each.getObjectName());
          }
        }
      }
    }
    MeterSnapshot values = new MeterSnapshot(meters);
    for (Meter each : StandardMeters.ALL) {
      MeterBean bean = new MeterBean(each, values);
      beans.registerMBean(bean, bean.name());
    }
    return beans;
  }

  /// The port.
  int port() {
    return sockets.port();
  }

  @Override
  public void close() throws IOException {
    try {
      connector.stop();
      boolean _ = UnicastRemoteObject.unexportObject(registry, true);
    } finally {
      sockets.close();
    }
  }
}
