package im.zonda.net.tls;

import im.zonda.stream.PeerCertificates;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// Asks the platform about the certificates of one peer and keeps the answer; lets every handshake
/// go on, because the role of the stream decides on trust. Runs where the handshake's expensive
/// steps run.
final class PeerTrust extends X509ExtendedTrustManager {
  private final X509TrustManager platform;
  private volatile @Nullable PeerCertificates peer;

  PeerTrust(X509TrustManager platform) {
    this.platform = platform;
  }

  /// What the peer has presented, or null if it has presented nothing.
  @Nullable PeerCertificates peer() {
    return peer;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType) {
    String problem = null;
    try {
      platform.checkServerTrusted(chain, authType);
    } catch (CertificateException e) {
      problem = describe(e);
    }
    peer = new PeerCertificates(List.of(chain), problem);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType) {
    // Those who connect to this server with a certificate are other servers. Public authorities no
    // longer allow their certificates for clients (extended key usage), only for servers.
    checkServerTrusted(chain, "UNKNOWN");
  }

  private static String describe(CertificateException e) {
    Throwable root = e.getCause() == null ? e : e.getCause();
    return String.valueOf(root.getMessage());
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
    checkServerTrusted(chain, authType);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
    checkClientTrusted(chain, authType);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {
    checkServerTrusted(chain, authType);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {
    checkClientTrusted(chain, authType);
  }

  /// No authorities are named to the peer: it presents whatever certificate it has.
  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
