package im.zonda.testkit.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// A TCP connection, with TLS from the start, later or never. When the server has closed its side,
/// this one is closed as well once that has been read, as clients do: the server waits for it
/// before it closes the connection.
public final class SocketWire implements Wire {
  private static final Duration HANDSHAKE_TIME = Duration.ofSeconds(20);

  private final Socket plain;
  private final List<String> protocols;
  private final List<String> applicationProtocols;
  private volatile Socket current;
  private volatile OutputStream out;
  private volatile boolean ended;

  private SocketWire(Socket plain, List<String> protocols, List<String> applicationProtocols)
      throws IOException {
    this.plain = plain;
    this.current = plain;
    this.out = plain.getOutputStream();
    this.protocols = protocols;
    this.applicationProtocols = applicationProtocols;
  }

  /// Connects without TLS.
  ///
  /// @throws IOException if the connection fails
  public static SocketWire connect(InetSocketAddress address) throws IOException {
    return connect(address, List.of("TLSv1.3", "TLSv1.2"), List.of());
  }

  /// Connects without TLS; later TLS offers those versions and application protocols only.
  ///
  /// @throws IOException if the connection fails
  public static SocketWire connect(
      InetSocketAddress address, List<String> protocols, List<String> applicationProtocols)
      throws IOException {
    Socket socket = new Socket();
    socket.setTcpNoDelay(true);
    socket.connect(address, 10_000);
    return new SocketWire(socket, protocols, applicationProtocols);
  }

  /// Connects with direct TLS (XEP-0368).
  ///
  /// @throws IOException if the connection or the handshake fails
  public static SocketWire connectTls(InetSocketAddress address, String domain) throws IOException {
    SocketWire wire = connect(address, List.of("TLSv1.3", "TLSv1.2"), List.of("xmpp-client"));
    wire.startTls(domain);
    return wire;
  }

  @Override
  public InputStream in() {
    try {
      Socket read = current;
      return new ClosingInput(read.getInputStream(), read);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Closes the socket at the end of its input.
  private final class ClosingInput extends FilterInputStream {
    private final Socket socket;

    private ClosingInput(InputStream in, Socket socket) {
      super(in);
      this.socket = socket;
    }

    @Override
    public int read() throws IOException {
      return closeAtEnd(in.read());
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return closeAtEnd(in.read(bytes, offset, length));
    }

    private int closeAtEnd(int read) throws IOException {
      if (read < 0) {
        ended = true;
        socket.close();
      }
      return read;
    }
  }

  @Override
  public OutputStream out() {
    return out;
  }

  @Override
  public boolean ended() {
    return ended;
  }

  @Override
  public void startTls(String domain) throws IOException {
    SSLSocket tls =
        (SSLSocket)
            TrustAll.context()
                .getSocketFactory()
                .createSocket(plain, domain, plain.getPort(), true);
    SSLParameters parameters = tls.getSSLParameters();
    parameters.setProtocols(protocols.toArray(new String[0]));
    parameters.setServerNames(List.of(new SNIHostName(domain)));
    parameters.setApplicationProtocols(applicationProtocols.toArray(new String[0]));
    tls.setSSLParameters(parameters);
    plain.setSoTimeout((int) HANDSHAKE_TIME.toMillis());
    try {
      tls.startHandshake();
    } catch (IOException e) {
      tls.close();
      throw e;
    }
    plain.setSoTimeout(0);
    out = tls.getOutputStream();
    current = tls;
  }

  @Override
  public @Nullable SSLSession tls() {
    return current instanceof SSLSocket tls ? tls.getSession() : null;
  }

  /// The TCP socket itself, for its options.
  public Socket socket() {
    return plain;
  }

  @Override
  public void close() {
    try {
      current.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void abort() {
    if (plain.isClosed()) {
      return; // the server was faster
    }
    try {
      // A reset instead of a close, as when a process dies with unread data.
      plain.setSoLinger(true, 0);
      plain.close();
    } catch (IOException e) {
      if (!plain.isClosed()) { // the server may have ended the connection first
        throw new UncheckedIOException(e);
      }
    }
  }
}
