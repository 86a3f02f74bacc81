package im.zonda.net;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// A client made of a blocking socket: writes text, reads until some text has come.
final class SocketClient implements AutoCloseable {
  static final String HEADER =
      "<?xml version='1.0'?><stream:stream xmlns='jabber:client'"
          + " xmlns:stream='http://etherx.jabber.org/streams' to='example.org' version='1.0'>";
  private static final int TIMEOUT_MILLIS = 10_000;

  private Socket socket;
  private final StringBuilder unread = new StringBuilder();

  SocketClient(InetSocketAddress address) throws IOException {
    this(address, "127.0.0.1");
  }

  /// A client with an address of its own, which must be one of this machine.
  SocketClient(InetSocketAddress address, String own) throws IOException {
    socket = new Socket();
    socket.bind(new InetSocketAddress(own, 0));
    socket.connect(address, TIMEOUT_MILLIS);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
  }

  SocketClient send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
    return this;
  }

  /// Reads until `text` has come; returns everything up to its end.
  String until(String text) throws IOException {
    byte[] buffer = new byte[8_192];
    InputStream in = socket.getInputStream();
    while (unread.indexOf(text) < 0) {
      int count = in.read(buffer);
      if (count < 0) {
        throw new IOException("closed after: " + unread);
      }
      unread.append(new String(buffer, 0, count, StandardCharsets.UTF_8));
    }
    int end = unread.indexOf(text) + text.length();
    String read = unread.substring(0, end);
    unread.delete(0, end);
    return read;
  }

  /// Reads until the server closes; returns everything.
  String untilClosed() throws IOException {
    byte[] buffer = new byte[8_192];
    int count;
    while ((count = socket.getInputStream().read(buffer)) >= 0) {
      unread.append(new String(buffer, 0, count, StandardCharsets.UTF_8));
    }
    return unread.toString();
  }

  /// Reads until the connection ends, by a reset too; returns everything.
  String untilClosedInAnyWay() {
    try {
      return untilClosed();
    } catch (SocketTimeoutException e) {
      throw new AssertionError("still open", e);
    } catch (IOException e) {
      return unread.toString();
    }
  }

  /// Makes a TLS client's handshake on the connection.
  SSLSocket startTls(String protocol, String... alpn) throws IOException {
    return startTls(trusting(), protocol, "example.org", alpn);
  }

  /// The same with a context, of which sessions are resumed.
  ///
  /// @param domain the domain that is wanted (SNI), or null
  SSLSocket startTls(SSLContext context, String protocol, @Nullable String domain, String... alpn)
      throws IOException {
    SSLSocket tls =
        (SSLSocket) context.getSocketFactory().createSocket(socket, domain, socket.getPort(), true);
    tls.setUseClientMode(true);
    SSLParameters parameters = tls.getSSLParameters();
    parameters.setProtocols(new String[] {protocol});
    parameters.setServerNames(domain == null ? List.of() : Arrays.asList(new SNIHostName(domain)));
    parameters.setApplicationProtocols(alpn);
    tls.setSSLParameters(parameters);
    tls.startHandshake();
    socket = tls;
    return tls;
  }

  Socket socket() {
    return socket;
  }

  /// Logs in by PLAIN and binds, from a fresh header on.
  SocketClient login(String resource) throws IOException {
    send(HEADER).until("</stream:features>");
    String plain =
        Base64.getEncoder().encodeToString("\0romeo\0secret".getBytes(StandardCharsets.US_ASCII));
    send("<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>" + plain + "</auth>");
    until("<success");
    until(">");
    send(HEADER).until("</stream:features>");
    send(
        "<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>"
            + resource
            + "</resource></bind></iq>");
    until("</iq>");
    return this;
  }

  /// Closes the connection before the end of the test.
  void disconnect() throws IOException {
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private static SSLContext trusting() {
    return trusting(null);
  }

  /// A context that accepts any server.
  ///
  /// @param own presents the client's certificate; null if it has none
  static SSLContext trusting(KeyManager @Nullable [] own) {
    X509TrustManager all =
        new X509TrustManager() {
          @Override
          public void checkClientTrusted(X509Certificate[] chain, String authType) {}

          @Override
          public void checkServerTrusted(X509Certificate[] chain, String authType) {}

          @Override
          public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
          }
        };
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(own, new TrustManager[] {all}, new SecureRandom());
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
