package im.zonda.provider.trust;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// The authorities that connections to a service trust.
public final class ServiceTls {
  private ServiceTls() {}

  /// A context that trusts the authorities of a file.
  ///
  /// @param authorities PEM file; null for the authorities of Java
  /// @throws IOException if it cannot be read, or has no certificates
  public static SSLContext trusting(@Nullable Path authorities) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(authorities == null ? null : keyStore(authorities));
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("this Java runtime cannot use " + authorities, e);
    }
  }

  private static KeyStore keyStore(Path authorities) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (Certificate each : read(authorities)) {
      store.setCertificateEntry("authority-" + store.size(), each);
    }
    return store;
  }

  private static Collection<? extends Certificate> read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      Collection<? extends Certificate> certificates =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (certificates.isEmpty()) {
        throw new IOException("there are no certificates in it");
      }
      return certificates;
    } catch (CertificateException e) {
      throw new IOException("its certificates cannot be read", e);
    }
  }
}
