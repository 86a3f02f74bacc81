package im.zonda.net.http;

import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/// TLS to a server whose certificate is not looked at.
public final class TrustAll implements X509TrustManager {
  /// TLS of clients that trust everyone.
  public static SSLContext context() throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustAll()}, null);
    return context;
  }

  /// Connects and shakes hands.
  ///
  /// @param protocols what is offered by ALPN
  static SSLSocket connect(InetSocketAddress address, String... protocols) throws Exception {
    SSLSocket socket =
        (SSLSocket)
            context().getSocketFactory().createSocket(address.getAddress(), address.getPort());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(protocols);
    socket.setSSLParameters(parameters);
    socket.setSoTimeout(20_000);
    socket.startHandshake();
    return socket;
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) {}

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) {}

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
