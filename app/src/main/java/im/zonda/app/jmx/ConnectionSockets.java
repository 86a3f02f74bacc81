package im.zonda.app.jmx;

import im.zonda.net.tls.Certificates;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.rmi.server.RMIServerSocketFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The sockets of JMX: at one address, a bounded number of them, with TLS if there are
/// certificates. Any thread may call.
///
/// RMI is given an address of its own for each connection, one that no machine has (RFC 3849). Its
/// registry lets programs of this machine replace what clients find there, which would make it a
/// trap for tokens: no connection looks as if it came from here.
final class ConnectionSockets implements RMIServerSocketFactory {
  /// The most bytes of a request.
  static final int MOST_REQUEST = 1 << 20;

  private static final long DOCUMENTATION = 0x2001_0db8_0000_0000L;

  private final InetSocketAddress address;
  private final @Nullable Certificates certificates;
  private final Predicate<InetAddress> allowed;
  private final int most;

  /// The peers of the open connections, by the addresses that RMI knows.
  private final Map<String, InetAddress> peers = new ConcurrentHashMap<>();

  private final AtomicLong numbers = new AtomicLong();
  private volatile @Nullable ServerSocket listening;

  /// @param certificates null for connections without TLS
  /// @param allowed the addresses from which connections are accepted
  /// @param most the most connections at a time
  ConnectionSockets(
      InetSocketAddress address,
      @Nullable Certificates certificates,
      Predicate<InetAddress> allowed,
      int most) {
    this.address = address;
    this.certificates = certificates;
    this.allowed = allowed;
    this.most = most;
  }

  /// @param port not used: there is one
  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    ServerSocket created = new Listening();
    try {
      created.setReuseAddress(true);
      created.bind(address, most);
    } catch (IOException e) {
      created.close();
      throw new IOException("cannot listen on " + address + ": " + e.getMessage(), e);
    }
    listening = created;
    return created;
  }

  /// The port; 0 if nothing listens.
  int port() {
    ServerSocket socket = listening;
    return socket == null ? 0 : socket.getLocalPort();
  }

  /// Closes the port.
  void close() throws IOException {
    ServerSocket socket = listening;
    if (socket != null) {
      socket.close();
    }
  }

  /// The peer of a connection by the address that RMI knows; null once it has ended.
  @Nullable InetAddress peer(String known) {
    return peers.get(known);
  }

  /// Accepts connections as long as there may be more; others are closed at once.
  private final class Listening extends ServerSocket {
    Listening() throws IOException {}

    @Override
    public Socket accept() throws IOException {
      while (true) {
        Accepted socket = new Accepted(alias(numbers.incrementAndGet()));
        try {
          implAccept(socket);
          if (socket.enter()) {
            return certificates == null ? socket : certificates.accept(socket);
          }
          socket.close();
        } catch (IOException e) {
          socket.close();
          throw e;
        }
      }
    }

    private InetAddress alias(long number) throws UnknownHostException {
      return InetAddress.getByAddress(
          ByteBuffer.allocate(2 * Long.BYTES).putLong(DOCUMENTATION).putLong(number).array());
    }
  }

  /// A connection.
  private final class Accepted extends Socket {
    private final InetAddress alias;

    /// The bytes since the last answer.
    private final AtomicLong received = new AtomicLong();

    Accepted(InetAddress alias) {
      this.alias = alias;
    }

    /// Counts the connection; false if it may not be.
    boolean enter() {
      InetAddress peer = super.getInetAddress();
      synchronized (peers) {
        if (peers.size() >= most || !allowed.test(peer)) {
          return false;
        }
        peers.put(alias.getHostAddress(), peer);
        return true;
      }
    }

    @Override
    public InetAddress getInetAddress() {
      return alias;
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new Request(super.getInputStream(), received);
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new Answer(super.getOutputStream(), received);
    }

    @Override
    public void close() throws IOException {
      peers.remove(alias.getHostAddress());
      super.close();
    }
  }

  /// What a client sends: RMI reads texts of any length before it asks who sends them.
  private static final class Request extends FilterInputStream {
    private final AtomicLong received;

    Request(InputStream in, AtomicLong received) {
      super(in);
      this.received = received;
    }

    @Override
    public int read() throws IOException {
      int next = super.read();
      count(next < 0 ? 0 : 1);
      return next;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int read = super.read(target, offset, length);
      count(Math.max(0, read));
      return read;
    }

    private void count(int bytes) throws IOException {
      if (received.addAndGet(bytes) > MOST_REQUEST) {
        throw new IOException("a request has more than " + MOST_REQUEST + " bytes");
      }
    }
  }

  /// What the server answers.
  private static final class Answer extends FilterOutputStream {
    private final AtomicLong received;

    Answer(OutputStream out, AtomicLong received) {
      super(out);
      this.received = received;
    }

    @Override
    public void write(int next) throws IOException {
      received.set(0);
      out.write(next);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
      received.set(0);
      out.write(source, offset, length);
    }
  }
}
