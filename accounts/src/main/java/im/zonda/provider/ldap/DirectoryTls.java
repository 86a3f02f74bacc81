package im.zonda.provider.ldap;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// Begins TLS on connections to one server, whose certificate must name the host that the
/// configuration, or a trusted answer of DNS, names (RFC 4513, section 3.1.3).
final class DirectoryTls extends SSLSocketFactory {
  /// The most certificates of a file of authorities.
  private static final int MOST_AUTHORITIES = 1_000;

  private final SSLSocketFactory plain;
  private final String host;

  /// Reads the file of authorities; a new file is used by new connections.
  ///
  /// @param authorities null for those of Java
  /// @throws IOException if the file cannot be read
  DirectoryTls(@Nullable Path authorities, String host)
      throws IOException, GeneralSecurityException {
    this.plain =
        (authorities == null ? SSLContext.getDefault() : context(authorities)).getSocketFactory();
    this.host = host;
  }

  /// Trusts the authorities of a PEM file and no others.
  static SSLContext context(Path authorities) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(authorities)) {
      Collection<? extends Certificate> all =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (all.isEmpty() || all.size() > MOST_AUTHORITIES) {
        throw new CertificateException(authorities + " has " + all.size() + " certificates");
      }
      for (Certificate each : all) {
        store.setCertificateEntry(Integer.toString(store.size()), each);
      }
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  /// Does the handshake on a connected socket. Its limit of time is that of the socket.
  @Override
  public Socket createSocket(Socket socket, String name, int port, boolean autoClose)
      throws IOException {
    SSLSocket secured = (SSLSocket) plain.createSocket(socket, host, port, autoClose);
    SSLParameters parameters = secured.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("LDAPS");
    parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
    secured.setSSLParameters(parameters);
    secured.startHandshake();
    return secured;
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return plain.getDefaultCipherSuites();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return plain.getSupportedCipherSuites();
  }

  @Override
  public Socket createSocket(String name, int port) {
    throw notConnected();
  }

  @Override
  public Socket createSocket(String name, int port, InetAddress local, int localPort) {
    throw notConnected();
  }

  @Override
  public Socket createSocket(InetAddress address, int port) {
    throw notConnected();
  }

  @Override
  public Socket createSocket(InetAddress address, int port, InetAddress local, int localPort) {
    throw notConnected();
  }

  /// The library secures sockets that are connected; a socket of another kind would not be bound by
  /// the time limit.
  private static UnsupportedOperationException notConnected() {
    return new UnsupportedOperationException("TLS begins on a socket that is connected");
  }
}
