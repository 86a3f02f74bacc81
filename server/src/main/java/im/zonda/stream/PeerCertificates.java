package im.zonda.stream;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The certificates that a peer has presented in the TLS handshake, which has succeeded whatever
/// they are: the role decides whether to trust them.
///
/// @param chain the chain, the peer's own certificate first
/// @param problem why the platform's trust manager does not trust the chain (RFC 5280); null if it
///   does
public record PeerCertificates(List<X509Certificate> chain, @Nullable String problem) {
  /// Copies the list.
  public PeerCertificates {
    chain = List.copyOf(chain);
  }

  /// Whether the chain leads to a certificate that the platform trusts.
  public boolean isTrusted() {
    return problem == null;
  }

  /// Whether the peer's certificate names that domain (RFC 9525, section 6.3).
  public boolean cover(String domain) {
    try {
      return CertificateNames.of(chain.getFirst()).cover(domain);
    } catch (CertificateParsingException | IllegalArgumentException e) {
      return false;
    }
  }
}
