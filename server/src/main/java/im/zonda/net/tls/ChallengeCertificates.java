package im.zonda.net.tls;

import im.zonda.stream.CertificateNames;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The certificates that prove the control of domains to a certificate authority by TLS (ACME, RFC
/// 8737), while it asks. Any thread may call.
public final class ChallengeCertificates {
  /// The ALPN protocol name of such connections, which carry nothing else.
  static final String PROTOCOL = "acme-tls/1";

  private final Map<String, TlsIdentity> pending = new ConcurrentHashMap<>();

  /// Presents a proof for a domain from now on.
  ///
  /// @param domain an A-label
  /// @param digest the SHA-256 of the key authorization
  public void present(String domain, byte[] digest, Instant now, RandomGenerator random) {
    KeyPair pair = KeyFile.create();
    byte[] certificate = CertificateWriter.forChallenge(pair, domain, digest, now, random);
    try {
      X509Certificate leaf =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(certificate));
      pending.put(
          domain, new TlsIdentity(List.of(leaf), pair.getPrivate(), CertificateNames.of(leaf)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no X.509", e);
    }
  }

  /// Stops presenting a proof for the domain.
  public void withdraw(String domain) {
    pending.remove(domain);
  }

  /// Whether there is no proof to present.
  boolean isEmpty() {
    return pending.isEmpty();
  }

  /// The proof for a domain, or null.
  @Nullable TlsIdentity find(String domain) {
    return pending.get(domain);
  }
}
