package im.zonda.cluster.infinispan;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import javax.net.ssl.SSLContext;
import org.jgroups.Address;
import org.jgroups.PhysicalAddress;
import org.jgroups.blocks.cs.Connection;
import org.jgroups.blocks.cs.TcpServer;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.logging.Log;
import org.jgroups.protocols.TCP;
import org.jspecify.annotations.Nullable;

/// TCP between the nodes, with or without TLS; it starts once. That a connection which is closed
/// has ended already is no error.
final class TcpTransport extends TCP {
  private static final String NO_GOODBYE = "%s: failed sending graceful close";

  private final NodeSockets sockets;

  TcpTransport(@Nullable SSLContext context) {
    sockets = new NodeSockets(context);
    setId(ClassConfigurator.getProtocolId(TCP.class));
    setSocketFactory(sockets);
  }

  /// Whether a connection to a process is established: otherwise to send to it may wait for that.
  boolean isConnectedTo(Address process) {
    TcpServer server = srv;
    PhysicalAddress physical = getPhysicalAddressFromCache(process);
    return server != null && physical != null && server.connectionEstablishedTo(physical);
  }

  /// Connects to a process, unless there is a connection. Blocks.
  ///
  /// @throws java.net.ConnectException if its address refuses that
  /// @throws Exception if there is no connection for another reason
  void connectTo(Address process) throws Exception {
    TcpServer server = srv;
    PhysicalAddress physical = getPhysicalAddressFromCache(process);
    if (server != null && physical != null) {
      Connection connection = server.getConnection(physical);
      if (!server.running()) {
        // Nobody else would close it, and the other side would take this process for alive.
        server.removeConnectionIfPresent(physical, connection);
      }
    }
  }

  @Override
  public void start() throws Exception {
    super.start();
    srv.log(lowered(log));
  }

  @Override
  public void stop() {
    super.stop();
    sockets.close();
  }

  /// A log that passes on everything, but lowers the level of the failure to notify a peer that has
  /// gone.
  static Log lowered(Log log) {
    return (Log)
        Proxy.newProxyInstance(
            Log.class.getClassLoader(),
            new Class<?>[] {Log.class},
            (proxy, method, arguments) -> invoke(log, method, arguments));
  }

  private static @Nullable Object invoke(Log log, Method method, Object[] arguments)
      throws Throwable {
    boolean isGoodbye =
        method.getName().equals("error")
            && arguments[0] instanceof String text
            && text.startsWith(NO_GOODBYE);
    Method used = isGoodbye ? Log.class.getMethod("debug", method.getParameterTypes()) : method;
    try {
      return used.invoke(log, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
