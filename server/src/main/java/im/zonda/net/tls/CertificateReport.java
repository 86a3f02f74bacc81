package im.zonda.net.tls;

import im.zonda.stream.CertificateNames;
import im.zonda.stream.PeerCertificates;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A certificate on disk, for administrators.
///
/// @param chain the certificate and those that signed it, as far as the file has them
/// @param names the domains that it names
/// @param begins from when it is valid
/// @param ends until when it is valid
public record CertificateReport(
    List<X509Certificate> chain, CertificateNames names, Instant begins, Instant ends) {
  /// Copies the list.
  public CertificateReport {
    chain = List.copyOf(chain);
  }

  /// Reads and checks a certificate with its key, as a start does.
  ///
  /// @throws IOException with a sentence for the administrator if a server could not use it
  public static CertificateReport read(PemFiles files) throws IOException {
    TlsIdentity identity = TlsIdentity.load(files);
    X509Certificate leaf = identity.leaf();
    return new CertificateReport(
        identity.chain(),
        identity.names(),
        leaf.getNotBefore().toInstant(),
        leaf.getNotAfter().toInstant());
  }

  /// The certificate itself.
  public X509Certificate leaf() {
    return chain.getFirst();
  }

  /// Whether no one but its owner vouches for it.
  public boolean isSelfSigned() {
    return leaf().getSubjectX500Principal().equals(leaf().getIssuerX500Principal());
  }

  /// Why those who have only what the file has do not trust the certificate; null if they do.
  ///
  /// @param authorities PEM file with the trusted authorities; null for those of the platform
  /// @throws IOException if that file cannot be used
  public @Nullable String distrust(@Nullable Path authorities) throws IOException {
    PeerTrust judge =
        new PeerTrust(authorities == null ? new PlatformTrust() : FileTrust.load(authorities));
    judge.checkClientTrusted(chain.toArray(X509Certificate[]::new), "UNKNOWN");
    PeerCertificates judged = judge.peer();
    return judged == null ? "there is no certificate" : judged.problem();
  }
}
