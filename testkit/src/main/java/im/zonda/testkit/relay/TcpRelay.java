package im.zonda.testkit.relay;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// A TCP relay on loopback. Each relayed connection can be cut, frozen, or cut on one side only.
public final class TcpRelay implements AutoCloseable {
  private static final int CONNECT_MILLIS = 5_000;

  private final ServerSocket listening;
  private final Supplier<InetSocketAddress> target;
  private final Tap tap;
  private final List<RelayedConnection> open = new ArrayList<>();
  private final LinkedBlockingQueue<RelayedConnection> accepted = new LinkedBlockingQueue<>();

  /// Creates a relay that listens.
  ///
  /// @param target the server's address, read for each connection
  /// @throws IOException if no port is free
  public TcpRelay(Supplier<InetSocketAddress> target) throws IOException {
    this(target, (connection, up, bytes, count) -> {});
  }

  /// Creates a relay that listens.
  ///
  /// @param target the server's address, read for each connection
  /// @param tap sees what is forwarded
  /// @throws IOException if no port is free
  public TcpRelay(Supplier<InetSocketAddress> target, Tap tap) throws IOException {
    this.target = target;
    this.tap = tap;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().name("relay").start(this::accept);
  }

  /// The address for clients.
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.getLocalSocketAddress();
  }

  /// Waits for the next connection in the order in which clients connected, until it is relayed or
  /// has ended because there is no server.
  ///
  /// @throws AssertionError if none comes within seconds
  public RelayedConnection next() throws InterruptedException {
    RelayedConnection connection = accepted.poll(2L * CONNECT_MILLIS, TimeUnit.MILLISECONDS);
    if (connection == null) {
      throw new AssertionError("nobody has connected to the relay");
    }
    return connection;
  }

  /// The connections that have not ended.
  public List<RelayedConnection> connections() {
    synchronized (open) {
      open.removeIf(RelayedConnection::ended);
      return List.copyOf(open);
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Thread.ofVirtual().name("relay").start(() -> relay(client));
      }
    } catch (IOException e) {
      // Closed: no more clients.
    }
  }

  private void relay(Socket client) {
    Socket server = new Socket();
    try {
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      server.connect(target.get(), CONNECT_MILLIS);
    } catch (IOException | RuntimeException e) {
      // No server: the client sees a connection that ends at once.
      RelayedConnection ended = new RelayedConnection(client, server, tap);
      ended.cut();
      accepted.add(ended);
      return;
    }
    RelayedConnection connection = new RelayedConnection(client, server, tap);
    synchronized (open) {
      open.removeIf(RelayedConnection::ended);
      open.add(connection);
    }
    connection.start();
    accepted.add(connection);
  }

  /// Cuts all connections and accepts no more.
  @Override
  public void close() throws IOException {
    listening.close();
    synchronized (open) {
      open.forEach(RelayedConnection::cut);
    }
  }
}
