package im.zonda.cluster.infinispan;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.Set;
import javax.net.ServerSocketFactory;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jgroups.util.DefaultSocketFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The sockets of a node: plain, or with TLS 1.3 and certificates on both sides.
///
/// Accepted sockets are closed when the node stops. JGroups leaves a connection open if it is
/// stopped while it reads the peer's name; the peer then sends data that no one reads, and rejects
/// the connections of the next member of this process, until the garbage is collected.
final class NodeSockets extends DefaultSocketFactory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeSockets.class);

  private final @Nullable SSLContext tls;

  // Guarded by this object's monitor.
  private final Set<Socket> accepted = new HashSet<>();
  private boolean closed;

  NodeSockets(@Nullable SSLContext tls) {
    super(
        tls == null ? SocketFactory.getDefault() : tls.getSocketFactory(),
        ServerSocketFactory.getDefault());
    this.tls = tls;
    if (tls != null) {
      setSocketConfigurator(
          socket -> ((SSLSocket) socket).setEnabledProtocols(new String[] {"TLSv1.3"}));
    }
  }

  @Override
  public ServerSocket createServerSocket(String service) throws IOException {
    return tls == null ? new Listening(this) : new HandshakeServerSocket(this, tls);
  }

  private synchronized void keep(Socket socket) {
    if (closed) {
      shut(socket);
    } else {
      accepted.removeIf(Socket::isClosed);
      accepted.add(socket);
    }
  }

  /// Closes what has been accepted, and what is still to be.
  @Override
  public synchronized void close() {
    closed = true;
    accepted.forEach(NodeSockets::shut);
    accepted.clear();
  }

  static void shut(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.atDebug().setCause(e).log("cluster_connection_not_closed");
    }
  }

  /// Listens for the connections of one node.
  static class Listening extends ServerSocket {
    private final NodeSockets sockets;

    Listening(NodeSockets sockets) throws IOException {
      this.sockets = sockets;
    }

    @Override
    public Socket accept() throws IOException {
      Socket socket = super.accept();
      sockets.keep(socket);
      return socket;
    }
  }
}
