package im.zonda.app.doctor;

import im.zonda.acme.CertificateRenewal;
import im.zonda.config.ServerConfig;
import im.zonda.net.tls.CertificateReport;
import im.zonda.net.tls.PemFiles;
import im.zonda.runtime.FailureText;
import im.zonda.stream.CertificateNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The certificate of a host.
///
/// @param report the certificate; null if there is none, or it cannot be used
/// @param failure why it cannot be used; null if it can, or there is none
/// @param distrust why others do not trust it; null if they do
record CertificateFacts(
    String host,
    Source source,
    @Nullable CertificateReport report,
    @Nullable String failure,
    @Nullable String distrust) {
  /// Where a certificate is from.
  enum Source {
    /// The configuration names its files.
    CONFIGURED,
    /// From an authority, by ACME.
    ACME,
    /// The server has signed it itself.
    SELF_SIGNED
  }

  /// Reads the certificate with which a server of that configuration serves a host.
  static CertificateFacts read(ServerConfig config, String host) {
    Path certificate = config.at(host).tls().certificate();
    Path key = config.at(host).tls().key();
    if (certificate != null && key != null) {
      return read(config, host, Source.CONFIGURED, new PemFiles(certificate, key));
    }
    Path folder = config.acme().folder(config.data());
    String name = CertificateNames.toAscii(host);
    PemFiles issued =
        new PemFiles(
            CertificateRenewal.certificate(folder, name), CertificateRenewal.key(folder, name));
    if (config.acme().isOn()) {
      return Files.exists(issued.certificate())
          ? read(config, host, Source.ACME, issued)
          : new CertificateFacts(host, Source.ACME, null, null, null);
    }
    PemFiles own =
        new PemFiles(
            config.data().resolve("self-signed.crt"), config.data().resolve("self-signed.key"));
    return Files.exists(own.certificate())
        ? read(config, host, Source.SELF_SIGNED, own)
        : new CertificateFacts(host, Source.SELF_SIGNED, null, null, null);
  }

  private static CertificateFacts read(
      ServerConfig config, String host, Source source, PemFiles files) {
    try {
      CertificateReport report = CertificateReport.read(files);
      return new CertificateFacts(host, source, report, null, report.distrust(config.s2s().ca()));
    } catch (IOException e) {
      return new CertificateFacts(host, source, null, FailureText.of(e), null);
    }
  }
}
