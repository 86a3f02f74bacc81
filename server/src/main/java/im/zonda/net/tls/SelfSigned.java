package im.zonda.net.tls;

import im.zonda.stream.CertificateNames;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The certificate that the server signs itself, so that TLS works before an administrator has set
/// it up. ECDSA on P-256, for all hosts and the domains of their services.
public final class SelfSigned {
  private static final Logger LOG = LoggerFactory.getLogger(SelfSigned.class);
  private static final Duration VALIDITY = Duration.ofDays(825);
  private static final Duration RENEWAL = Duration.ofDays(30);

  private SelfSigned() {}

  /// The certificate in `folder`. It is created if there is none, and replaced if it does not name
  /// all `domains` or expires within a month; the key stays the same then.
  ///
  /// @throws IOException if the folder cannot be read or written
  public static PemFiles ensure(
      Path folder, List<String> domains, InstantSource clock, RandomGenerator random)
      throws IOException {
    PemFiles files =
        new PemFiles(folder.resolve("self-signed.crt"), folder.resolve("self-signed.key"));
    List<String> names = domains.stream().map(CertificateNames::toAscii).distinct().toList();
    if (fits(files, names, clock.instant())) {
      return files;
    }
    KeyPair old = existingKeys(files);
    KeyPair pair = old == null ? KeyFile.create() : old;
    byte[] certificate =
        CertificateWriter.selfSigned(pair, names, clock.instant(), VALIDITY, random);
    Files.createDirectories(folder);
    PemText.write(
        files.key(), PemText.of("PRIVATE KEY", pair.getPrivate().getEncoded()), PemText.PRIVATE);
    PemText.write(files.certificate(), PemText.of("CERTIFICATE", certificate), PemText.PUBLIC);
    LOG.atInfo()
        .addKeyValue("file", files.certificate())
        .addKeyValue("domains", domains)
        .log("certificate_self_signed");
    return files;
  }

  /// The keys of the certificate that is there, or null if it cannot be used.
  private static @Nullable KeyPair existingKeys(PemFiles files) {
    if (!Files.exists(files.certificate()) || !Files.exists(files.key())) {
      return null;
    }
    try {
      TlsIdentity old = TlsIdentity.load(files);
      return old.key().getAlgorithm().equals("EC")
          ? new KeyPair(old.leaf().getPublicKey(), old.key())
          : null;
    } catch (IOException e) {
      LOG.atWarn()
          .addKeyValue("file", files.certificate())
          .setCause(e)
          .log("certificate_self_signed_unreadable");
      return null;
    }
  }

  private static boolean fits(PemFiles files, List<String> names, Instant now) throws IOException {
    if (!Files.exists(files.certificate()) || !Files.exists(files.key())) {
      return false;
    }
    try {
      X509Certificate certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(
                      new ByteArrayInputStream(Files.readAllBytes(files.certificate())));
      Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
      List<Object> named = new ArrayList<>();
      if (alternatives != null) {
        alternatives.forEach(alternative -> named.add(alternative.get(1)));
      }
      return named.containsAll(names)
          && certificate.getNotAfter().toInstant().isAfter(now.plus(RENEWAL));
    } catch (GeneralSecurityException e) {
      LOG.atWarn()
          .addKeyValue("file", files.certificate())
          .setCause(e)
          .log("certificate_self_signed_unreadable");
      return false;
    }
  }
}
