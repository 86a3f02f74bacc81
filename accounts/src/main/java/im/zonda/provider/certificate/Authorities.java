package im.zonda.provider.certificate;

import im.zonda.config.accounts.CertificateAccounts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.cert.CRL;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The authorities whose certificates are accepted, and their revocation lists, as read from their
/// files. Only these authorities count, not those of the platform, and nothing is fetched.
///
/// @param anchors the authorities
/// @param revocations the lists of what was revoked; null if nothing is looked up
/// @param versions of the files
record Authorities(
    Set<TrustAnchor> anchors, @Nullable CertStore revocations, List<FileTime> versions) {
  private static final int MOST_FILE_BYTES = 67_108_864;

  /// Copies the collections.
  Authorities {
    anchors = Set.copyOf(anchors);
    versions = List.copyOf(versions);
  }

  /// Reads the files.
  ///
  /// @throws IOException with a sentence for the administrator if one cannot be used
  static Authorities read(CertificateAccounts settings) throws IOException {
    Path file = settings.authorities();
    if (file == null) {
      throw new IOException("authorities must be set");
    }
    List<FileTime> versions = versions(settings);
    Set<TrustAnchor> anchors = new HashSet<>();
    Path revoked = settings.revoked();
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (Certificate each : factory.generateCertificates(bytes(file))) {
        anchors.add(new TrustAnchor((X509Certificate) each, null));
      }
      if (anchors.isEmpty()) {
        throw new IOException(file + " holds no certificate");
      }
      if (revoked == null) {
        return new Authorities(anchors, null, versions);
      }
      Collection<? extends CRL> lists = factory.generateCRLs(bytes(revoked));
      if (lists.isEmpty()) {
        throw new IOException(revoked + " holds no list of revoked certificates");
      }
      return new Authorities(
          anchors,
          CertStore.getInstance("Collection", new CollectionCertStoreParameters(lists)),
          versions);
    } catch (GeneralSecurityException e) {
      Path bad = revoked == null || anchors.isEmpty() ? file : revoked;
      throw new IOException(
          bad
              + (bad.equals(file)
                  ? " is no PEM file of certificates"
                  : " is no file of revoked certificates (CRL)"),
          e);
    }
  }

  /// When the files were written last.
  static List<FileTime> versions(CertificateAccounts settings) throws IOException {
    Path file = settings.authorities();
    Path revoked = settings.revoked();
    if (file == null) {
      return List.of();
    }
    return revoked == null ? List.of(time(file)) : List.of(time(file), time(revoked));
  }

  private static FileTime time(Path file) throws IOException {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      throw new IOException(file + " cannot be read", e);
    }
  }

  private static ByteArrayInputStream bytes(Path file) throws IOException {
    if (Files.size(file) > MOST_FILE_BYTES) {
      throw new IOException(file + " is too large");
    }
    try {
      return new ByteArrayInputStream(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new IOException(file + " cannot be read", e);
    }
  }

  /// Whether it is one of the authorities itself.
  boolean contains(X509Certificate certificate) {
    return anchors.stream().anyMatch(each -> certificate.equals(each.getTrustedCert()));
  }

  /// Checks that a chain leads to one of the authorities (RFC 5280, section 6).
  ///
  /// @param chain without the authority itself
  /// @throws CertPathValidatorException if it does not
  void validate(List<X509Certificate> chain, Instant now) throws CertPathValidatorException {
    try {
      CertPath path = CertificateFactory.getInstance("X.509").generateCertPath(chain);
      PKIXParameters parameters = new PKIXParameters(anchors);
      parameters.setDate(Date.from(now));
      // Without a checker of our own, which would fetch what a certificate points to.
      parameters.setRevocationEnabled(revocations != null);
      if (revocations != null) {
        parameters.addCertStore(revocations);
      }
      CertPathValidator.getInstance("PKIX").validate(path, parameters);
    } catch (CertPathValidatorException e) {
      throw e;
    } catch (GeneralSecurityException e) {
      throw new CertPathValidatorException("the certificates cannot be read", e);
    }
  }
}
