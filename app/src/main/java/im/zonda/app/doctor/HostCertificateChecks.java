package im.zonda.app.doctor;

import im.zonda.app.finding.Finding;
import im.zonda.net.tls.CertificateReport;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Checks of the certificates of the hosts.
///
/// @param all the certificates of all hosts: each may name domains of others
/// @param now the time at which they must be valid
record HostCertificateChecks(List<CertificateFacts> all, Instant now) {
  private static final Duration SOON = Duration.ofDays(14);
  private static final Duration VERY_SOON = Duration.ofDays(3);
  private static final int RSA_BITS = 2_048;
  private static final int EC_BITS = 256;
  private static final String OWN =
      "get one from an authority: acme.directory, or tls.certificate and tls.key";

  /// Copies the list.
  HostCertificateChecks {
    all = List.copyOf(all);
  }

  /// What is to be said about the certificate of a host.
  ///
  /// @param services the service domains of the host
  /// @param isLocal whether the host is for this machine or a private network
  List<Finding> check(CertificateFacts facts, List<String> services, boolean isLocal) {
    CertificateReport report = facts.report();
    String host = facts.host();
    if (facts.failure() != null) {
      return List.of(Finding.problem("certificate", host + ": " + facts.failure()));
    }
    if (report == null) {
      return List.of(
          facts.source() == CertificateFacts.Source.ACME
              ? Finding.problem(
                  "certificate",
                  host + " has none from its authority yet",
                  "zonda status says why, and when the next attempt is")
              : Finding.ok("certificate", host + ": a self-signed one is made at the first start"));
    }
    List<Finding> findings = new ArrayList<>(List.of(validity(host, report)));
    findings.addAll(trust(facts, report, isLocal));
    findings.addAll(names(host, report, services));
    findings.addAll(strength(host, report));
    return findings;
  }

  /// The time in which it is valid.
  Finding validity(String host, CertificateReport report) {
    String start = "that of " + host + " ";
    if (report.ends().isBefore(now)) {
      return Finding.problem("certificate", start + "expired on " + report.ends(), OWN);
    }
    if (report.begins().isAfter(now)) {
      return Finding.problem(
          "certificate",
          start + "is not valid before " + report.begins(),
          "look at the clock of this machine: timedatectl");
    }
    long days = Duration.between(now, report.ends()).toDays();
    String text = start + "is valid until " + report.ends() + ", for " + days + " days";
    String advice = "renew it; new files are taken up within a minute";
    Duration life = Duration.between(report.begins(), report.ends());
    if (report.ends().isBefore(now.plus(shorter(VERY_SOON, life.dividedBy(10))))) {
      return Finding.problem("certificate", text, advice);
    }
    return report.ends().isBefore(now.plus(shorter(SOON, life.dividedBy(4))))
        ? Finding.warning("certificate", text, advice)
        : Finding.ok("certificate", text);
  }

  /// Some certificates are made for days only, and replaced as often.
  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /// Whether others trust it.
  List<Finding> trust(CertificateFacts facts, CertificateReport report, boolean isLocal) {
    String host = facts.host();
    if (report.isSelfSigned()) {
      String text = "that of " + host + " is self-signed: ";
      return List.of(
          isLocal
              ? Finding.ok("certificate", text + "clients ask whether to trust it")
              : Finding.warning(
                  "certificate",
                  text + "clients warn of it, and other servers do not accept it",
                  OWN));
    }
    if (facts.distrust() == null || report.ends().isBefore(now)) {
      return List.of();
    }
    X509Certificate last = report.chain().getLast();
    boolean isOpen = !last.getSubjectX500Principal().equals(last.getIssuerX500Principal());
    return List.of(
        Finding.problem(
            "certificate",
            "the chain of "
                + host
                + " leads to no authority that is trusted here: "
                + facts.distrust()
                + (isOpen
                    ? "; the certificate of "
                        + last.getIssuerX500Principal().getName()
                        + " may be missing"
                    : ""),
            "tls.certificate must have the whole chain: fullchain.pem, not cert.pem"));
  }

  /// Whether the domains of the host are named in it, or in another one.
  List<Finding> names(String host, CertificateReport report, List<String> services) {
    List<Finding> findings = new ArrayList<>();
    String named = String.join(", ", report.names().dnsNames());
    if (!isNamed(host)) {
      findings.add(
          Finding.problem(
              "certificate",
              "no certificate names "
                  + host
                  + "; this one names "
                  + (named.isEmpty() ? "nothing" : named),
              OWN));
    }
    List<String> missing = services.stream().filter(each -> !isNamed(each)).toList();
    if (!missing.isEmpty()) {
      findings.add(
          Finding.warning(
              "certificate",
              "no certificate names "
                  + String.join(", ", missing)
                  + ": other servers do not accept what comes from there",
              "certbot certonly -d " + host + " -d " + String.join(" -d ", missing)));
    }
    return findings;
  }

  private boolean isNamed(String domain) {
    return all.stream()
        .map(CertificateFacts::report)
        .anyMatch(each -> each != null && each.names().cover(domain));
  }

  /// Whether key and signature are strong.
  List<Finding> strength(String host, CertificateReport report) {
    PublicKey key = report.leaf().getPublicKey();
    int bits =
        switch (key) {
          case RSAPublicKey rsa -> rsa.getModulus().bitLength();
          case ECPublicKey ec -> ec.getParams().getOrder().bitLength();
          default -> EC_BITS; // EdDSA
        };
    int least = key instanceof RSAPublicKey ? RSA_BITS : EC_BITS;
    String signature = report.leaf().getSigAlgName().toUpperCase(Locale.ROOT);
    List<Finding> findings = new ArrayList<>();
    if (bits < least) {
      findings.add(
          Finding.problem(
              "certificate",
              "the key of " + host + " is weak: " + key.getAlgorithm() + " of " + bits + " bits",
              "make a new key: openssl ecparam -name prime256v1 -genkey -noout -out key.pem"));
    }
    if (signature.startsWith("SHA1") || signature.startsWith("MD5")) {
      findings.add(
          Finding.problem(
              "certificate", "the signature for " + host + " is weak: " + signature, OWN));
    }
    return findings;
  }
}
