package im.zonda.net.tls;

import java.util.List;
import java.util.Map;

/// The certificates of a server's hosts.
///
/// @param all all of them; the first is for clients that name no host or an unknown one
/// @param own the certificate of each host that is configured with one to itself, by domain
public record CertificateFiles(List<PemFiles> all, Map<String, PemFiles> own) {
  /// Copies the collections.
  public CertificateFiles {
    all = List.copyOf(all);
    own = Map.copyOf(own);
  }

  /// Certificates that are chosen by the domains that they name.
  public CertificateFiles(List<PemFiles> all) {
    this(all, Map.of());
  }
}
