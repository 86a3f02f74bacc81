package im.zonda.net.tls;

import im.zonda.stream.CertificateNames;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Instant;

/// Names and times of a certificate on disk, for administrators.
///
/// @param names the domains that it names
/// @param begins from when it is valid
/// @param ends until when it is valid
public record CertificateReport(CertificateNames names, Instant begins, Instant ends) {
  /// Reads and checks a certificate with its key, as a start does.
  ///
  /// @throws IOException with a sentence for the administrator if a server could not use it
  public static CertificateReport read(PemFiles files) throws IOException {
    TlsIdentity identity = TlsIdentity.load(files);
    X509Certificate leaf = identity.leaf();
    return new CertificateReport(
        identity.names(), leaf.getNotBefore().toInstant(), leaf.getNotAfter().toInstant());
  }
}
