package im.zonda.app.settings.check;

import im.zonda.config.ServerConfig;
import im.zonda.net.tls.CertificateReport;
import im.zonda.net.tls.PemFiles;
import im.zonda.runtime.FailureText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Checks of the certificates in the files that the configuration names, which are read. Not part
/// of reading the configuration: a server starts with a certificate that has ended, and most
/// commands need none.
public final class CertificateChecks {
  private final ServerConfig config;
  private final Instant now;
  private final List<Finding> findings = new ArrayList<>();

  /// What is wrong with a certificate.
  ///
  /// @param key the dotted path of the key
  /// @param text a sentence
  /// @param refused whether a reload rejects the certificate; otherwise others may distrust it
  public record Finding(String key, String text, boolean refused) {}

  /// @param now the time at which certificates must be valid
  public CertificateChecks(ServerConfig config, Instant now) {
    this.config = config;
    this.now = now;
  }

  /// What is wrong; empty if nothing is, or no file is named.
  public List<Finding> run() {
    Map<PemFiles, String> keys = new LinkedHashMap<>();
    Map<String, PemFiles> used = new LinkedHashMap<>();
    for (String host : config.hosts()) {
      ServerConfig.Tls tls = config.at(host).tls();
      Path certificate = tls.certificate();
      Path key = tls.key();
      if (certificate != null && key != null) {
        PemFiles files = new PemFiles(certificate, key);
        boolean own = !tls.equals(config.tls());
        keys.putIfAbsent(files, (own ? "host." + host + "." : "") + "tls.certificate");
        used.put(host, files);
      }
    }
    Map<PemFiles, CertificateReport> reports = new LinkedHashMap<>();
    keys.forEach((files, key) -> read(files, key, reports));
    used.forEach((host, files) -> {
      CertificateReport report = reports.get(files);
      String key = keys.get(files);
      if (report != null && key != null) {
        names(host, key, report, reports);
      }
    });
    return List.copyOf(findings);
  }

  private void read(PemFiles files, String key, Map<PemFiles, CertificateReport> reports) {
    try {
      CertificateReport report = CertificateReport.read(files);
      reports.put(files, report);
      String start = key + ": the certificate in " + files.certificate();
      if (report.ends().isBefore(now)) {
        findings.add(new Finding(key, start + " expired on " + report.ends(), true));
      } else if (report.begins().isAfter(now)) {
        findings.add(new Finding(key, start + " is not valid before " + report.begins(), false));
      }
    } catch (IOException e) {
      findings.add(new Finding(key, key + ": " + FailureText.of(e), true));
    }
  }

  /// A certificate of another host, too, may name a domain.
  private void names(
      String host, String key, CertificateReport report, Map<PemFiles, CertificateReport> reports) {
    List<String> missing = new ArrayList<>();
    List<String> wanted = new ArrayList<>(List.of(host));
    wanted.addAll(config.serviceDomains(host));
    for (String domain : wanted) {
      if (reports.values().stream().noneMatch(each -> each.names().cover(domain))) {
        missing.add(domain);
      }
    }
    if (!missing.isEmpty()) {
      List<String> named = report.names().dnsNames();
      findings.add(
          new Finding(
              key,
              key
                  + ": no certificate names "
                  + String.join(", ", missing)
                  + "; this one names "
                  + (named.isEmpty() ? "no domain" : String.join(", ", named)),
              false));
    }
  }
}
