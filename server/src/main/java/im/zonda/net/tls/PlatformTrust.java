package im.zonda.net.tls;

import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// The certificate authorities that the platform trusts, loaded when they are first needed. Any
/// thread may call.
final class PlatformTrust implements X509TrustManager {
  private volatile @Nullable X509TrustManager loaded;

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    platform().checkServerTrusted(chain, authType);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    platform().checkClientTrusted(chain, authType);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }

  private X509TrustManager platform() throws CertificateException {
    X509TrustManager known = loaded;
    if (known == null) {
      known = load();
      loaded = known;
    }
    return known;
  }

  private static X509TrustManager load() throws CertificateException {
    try {
      return FileTrust.managerOf(null);
    } catch (GeneralSecurityException e) {
      throw new CertificateException("the platform's trusted authorities cannot be read", e);
    }
  }
}
