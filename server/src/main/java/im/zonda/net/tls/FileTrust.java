package im.zonda.net.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// Trusts the certificate authorities of a file and no others.
final class FileTrust {
  private FileTrust() {}

  /// Reads the authorities.
  ///
  /// @param file PEM file with their certificates
  /// @throws IOException with a sentence for the administrator if it cannot be used
  static X509TrustManager load(Path file) throws IOException {
    List<X509Certificate> authorities = TlsIdentity.chain(file);
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (int i = 0; i < authorities.size(); i++) {
        store.setCertificateEntry(Integer.toString(i), authorities.get(i));
      }
      return managerOf(store);
    } catch (GeneralSecurityException e) {
      throw new IOException("the authorities in " + file + " cannot be used", e);
    }
  }

  /// The trust manager of a store.
  ///
  /// @param store the authorities; null for those of the platform
  static X509TrustManager managerOf(@Nullable KeyStore store) throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509TrustManager authorities) {
        return authorities;
      }
    }
    throw new GeneralSecurityException("this Java runtime has no X.509 trust manager");
  }
}
